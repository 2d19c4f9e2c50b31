#pragma once

// The types that CUDA C++ knows without a declaration: errors, dim3, vectors, handles.

#include <cstddef>

#include "emulator/error_codes.h"

enum cudaError {
#define EMULATOR_ENUMERATOR(name, value, text) name = value,
    EMULATOR_ERRORS(EMULATOR_ENUMERATOR)
#undef EMULATOR_ENUMERATOR
};
using cudaError_t = cudaError;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

// char1 … double4 with make_char1() … make_double4(), aligned as on a device.
#define EMULATOR_VECTORS(name, T, align2, align4)          \
    struct name##1 {                                       \
        T x;                                               \
    };                                                     \
    struct alignas(align2) name##2 {                       \
        T x, y;                                            \
    };                                                     \
    struct name##3 {                                       \
        T x, y, z;                                         \
    };                                                     \
    struct alignas(align4) name##4 {                       \
        T x, y, z, w;                                      \
    };                                                     \
    constexpr name##1 make_##name##1(T x) {                \
        return {x};                                        \
    }                                                      \
    constexpr name##2 make_##name##2(T x, T y) {           \
        return {x, y};                                     \
    }                                                      \
    constexpr name##3 make_##name##3(T x, T y, T z) {      \
        return {x, y, z};                                  \
    }                                                      \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { \
        return {x, y, z, w};                               \
    }

EMULATOR_VECTORS(char, signed char, 2, 4)
EMULATOR_VECTORS(uchar, unsigned char, 2, 4)
EMULATOR_VECTORS(short, short, 4, 8)
EMULATOR_VECTORS(ushort, unsigned short, 4, 8)
EMULATOR_VECTORS(int, int, 8, 16)
EMULATOR_VECTORS(uint, unsigned int, 8, 16)
EMULATOR_VECTORS(long, long, 16, 16)
EMULATOR_VECTORS(ulong, unsigned long, 16, 16)
EMULATOR_VECTORS(longlong, long long, 16, 16)
EMULATOR_VECTORS(ulonglong, unsigned long long, 16, 16)
EMULATOR_VECTORS(float, float, 8, 16)
EMULATOR_VECTORS(double, double, 16, 16)
#undef EMULATOR_VECTORS

// CUDA 13's vectors of four 8-byte members with the alignment in their name; double4 itself is aligned to 16.
#define EMULATOR_VECTORS_OF_FOUR(name, T, alignment)                                     \
    struct alignas(alignment) name##4_##alignment##a {                                   \
        T x, y, z, w;                                                                    \
    };                                                                                   \
    constexpr name##4_##alignment##a make_##name##4_##alignment##a(T x, T y, T z, T w) { \
        return {x, y, z, w};                                                             \
    }
EMULATOR_VECTORS_OF_FOUR(long, long, 16)
EMULATOR_VECTORS_OF_FOUR(long, long, 32)
EMULATOR_VECTORS_OF_FOUR(ulong, unsigned long, 16)
EMULATOR_VECTORS_OF_FOUR(ulong, unsigned long, 32)
EMULATOR_VECTORS_OF_FOUR(longlong, long long, 16)
EMULATOR_VECTORS_OF_FOUR(longlong, long long, 32)
EMULATOR_VECTORS_OF_FOUR(ulonglong, unsigned long long, 16)
EMULATOR_VECTORS_OF_FOUR(ulonglong, unsigned long long, 32)
EMULATOR_VECTORS_OF_FOUR(double, double, 16)
EMULATOR_VECTORS_OF_FOUR(double, double, 32)
#undef EMULATOR_VECTORS_OF_FOUR

// As in CUDA's vector_types.h: host and device agree on them, and a kernel may load one as a whole.
static_assert(sizeof(char3) == 3 && alignof(char2) == 2 && alignof(char4) == 4 && alignof(short3) == 2);
static_assert(sizeof(short4) == 8 && alignof(short4) == 8 && sizeof(int3) == 12 && alignof(int3) == 4);
static_assert(alignof(int2) == 8 && alignof(int4) == 16 && alignof(float2) == 8 && alignof(float4) == 16);
static_assert(sizeof(float3) == 12 && sizeof(double3) == 24 && alignof(double3) == 8 && alignof(double2) == 16);
static_assert(sizeof(double4) == 32 && alignof(double4) == 16 && alignof(long4) == 16 && alignof(longlong4) == 16);
static_assert(alignof(double4_16a) == 16 && alignof(double4_32a) == 32 && alignof(ulonglong4_32a) == 32);

struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

namespace emulator {
struct Stream;
struct Event;
}  // namespace emulator

using cudaStream_t = emulator::Stream*;
using cudaEvent_t = emulator::Event*;
