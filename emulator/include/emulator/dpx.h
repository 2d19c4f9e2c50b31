#pragma once

#include "emulator/engine.h"

// DPX: sums, maxima and minima of three numbers in one function, for dynamic programming. Sums wrap around. Of a word
// named 16x2 each half is a number of its own.

namespace emulator::dpx {

template <class T>
EMULATOR_INLINE T sum(T a, T b) {
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <class T>
EMULATOR_INLINE T larger(T a, T b) {
    return a < b ? b : a;
}
template <class T>
EMULATOR_INLINE T smaller(T a, T b) {
    return b < a ? b : a;
}

template <class Half, class Change, class... Words>
EMULATOR_INLINE unsigned by_halves(Change change, Words... words) {
    const auto low = static_cast<unsigned short>(change(static_cast<Half>(words & 0xffff)...));
    const auto high = static_cast<unsigned short>(change(static_cast<Half>(words >> 16)...));
    return low | static_cast<unsigned>(high) << 16;
}

}  // namespace emulator::dpx

#define EMULATOR_DPX_2(name, value)                                                                                  \
    EMULATOR_INLINE int name##_s32_relu(int a, int b) {                                                              \
        return ::emulator::dpx::larger(::emulator::dpx::value(a, b), 0);                                             \
    }                                                                                                                \
    EMULATOR_INLINE unsigned int name##_s16x2_relu(unsigned int a, unsigned int b) {                                 \
        return ::emulator::dpx::by_halves<short>(                                                                    \
            [](short x, short y) { return ::emulator::dpx::larger(::emulator::dpx::value(x, y), short{0}); }, a, b); \
    }
EMULATOR_DPX_2(__vimax, larger)
EMULATOR_DPX_2(__vimin, smaller)
#undef EMULATOR_DPX_2

// first(a, b) with c: max3 is larger(larger(a, b), c), addmax is larger(sum(a, b), c).
#define EMULATOR_DPX_3_OF(name, first, second, T, Half, t32, t16)                                                      \
    EMULATOR_INLINE T name##_##t32(T a, T b, T c) {                                                                    \
        return ::emulator::dpx::second(::emulator::dpx::first(a, b), c);                                               \
    }                                                                                                                  \
    EMULATOR_INLINE unsigned int name##_##t16(unsigned int a, unsigned int b, unsigned int c) {                        \
        return ::emulator::dpx::by_halves<Half>(                                                                       \
            [](Half x, Half y, Half z) { return ::emulator::dpx::second(::emulator::dpx::first(x, y), z); }, a, b, c); \
    }
#define EMULATOR_DPX_3(name, first, second)                                                                    \
    EMULATOR_DPX_3_OF(name, first, second, int, short, s32, s16x2)                                             \
    EMULATOR_DPX_3_OF(name, first, second, unsigned int, unsigned short, u32, u16x2)                           \
    EMULATOR_INLINE int name##_s32_relu(int a, int b, int c) {                                                 \
        return ::emulator::dpx::larger(name##_s32(a, b, c), 0);                                                \
    }                                                                                                          \
    EMULATOR_INLINE unsigned int name##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {           \
        return ::emulator::dpx::by_halves<short>([](short x) { return ::emulator::dpx::larger(x, short{0}); }, \
                                                 name##_s16x2(a, b, c));                                       \
    }
EMULATOR_DPX_3(__vimax3, larger, larger)
EMULATOR_DPX_3(__vimin3, smaller, smaller)
EMULATOR_DPX_3(__viaddmax, sum, larger)
EMULATOR_DPX_3(__viaddmin, sum, smaller)
#undef EMULATOR_DPX_3
#undef EMULATOR_DPX_3_OF

// *is_a: the result is a, or as large as a.
#define EMULATOR_DPX_CHOICE(name, value, T, Half, t32, t16)                                                      \
    EMULATOR_INLINE T name##_##t32(T a, T b, bool* is_a) {                                                       \
        const T result = ::emulator::dpx::value(a, b);                                                           \
        *is_a = result == a;                                                                                     \
        return result;                                                                                           \
    }                                                                                                            \
    EMULATOR_INLINE unsigned int name##_##t16(unsigned int a, unsigned int b, bool* high_is_a, bool* low_is_a) { \
        const unsigned result =                                                                                  \
            ::emulator::dpx::by_halves<Half>([](Half x, Half y) { return ::emulator::dpx::value(x, y); }, a, b); \
        *high_is_a = result >> 16 == a >> 16;                                                                    \
        *low_is_a = (result & 0xffff) == (a & 0xffff);                                                           \
        return result;                                                                                           \
    }
EMULATOR_DPX_CHOICE(__vibmax, larger, int, short, s32, s16x2)
EMULATOR_DPX_CHOICE(__vibmax, larger, unsigned int, unsigned short, u32, u16x2)
EMULATOR_DPX_CHOICE(__vibmin, smaller, int, short, s32, s16x2)
EMULATOR_DPX_CHOICE(__vibmin, smaller, unsigned int, unsigned short, u32, u16x2)
#undef EMULATOR_DPX_CHOICE
