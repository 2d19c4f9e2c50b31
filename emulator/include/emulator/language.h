#pragma once

#include "emulator/engine.h"

// The words that CUDA C++ adds to the language. __shared__ never reaches the compiler: emulator/rewriter turns such
// declarations, kernel bodies and launches into C++. An editor's clangd, which reads the .cu file itself, knows the
// words.

#if defined(__clang__) && defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// What a launch calls: the second where clang (19) finds no toolkit, the first otherwise.
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                           cudaStream_t stream = nullptr);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);
#else
#define __host__
#define __device__
#define __global__
#define __launch_bounds__(...)
#endif
#define __cluster_dims__(...)

#define __forceinline__ inline __attribute__((always_inline))
#define __inline__ inline
#define __device_builtin__
#define __NV_SILENCE_DEPRECATION_BEGIN \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define __NV_SILENCE_DEPRECATION_END _Pragma("GCC diagnostic pop")
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDART_DEVICE __device__
#define __restrict__ __restrict
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(0)  // Like nvcc's, it does not evaluate the condition.
#endif

// Namespace-scope variables of the device, put together so that the runtime can tell them from the host's.
// In the checked build there is room between them.
#ifdef EMULATOR_CHECKED
#define EMULATOR_VARIABLE(name) __attribute__((section(name), aligned(16384)))
#else
#define EMULATOR_VARIABLE(name) __attribute__((section(name)))
#endif
#define EMULATOR_DEVICE_VARIABLE EMULATOR_VARIABLE("cuda_device")
#define EMULATOR_CONSTANT_VARIABLE EMULATOR_VARIABLE("cuda_constant")
#define EMULATOR_MANAGED_VARIABLE EMULATOR_VARIABLE("cuda_managed")
#define EMULATOR_CONST_VARIABLE EMULATOR_VARIABLE("cuda_const")  // Read-only data need a section of their own.
#define EMULATOR_INLINE_VARIABLE __attribute__((weak))  // Instead of inline, which g++ cannot put into a named section.

#ifndef CUDART_VERSION
#define CUDART_VERSION 13000
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#endif

#if defined(__CUDACC__) && !defined(__CUDA__)
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
