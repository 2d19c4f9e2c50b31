#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <type_traits>

#include "emulator/check.h"
#include "emulator/types.h"

// Functions of bits and integers, conversions with a rounding mode, loads and stores with a cache hint (the hint has no
// meaning here). All of them give what a GPU gives, bit for bit.

namespace emulator {

/// The same bits as another type.
template <class To, class From>
To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From), "another size");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

/// A whole number as an integer. Outside of its range: the nearest end. NaN: what PTX's cvt says.
template <class Integer, class Float>
Integer saturated(Float whole) {
    using Limits = std::numeric_limits<Integer>;
    if (whole != whole) {
        const bool zero = sizeof(Float) < 8 && sizeof(Integer) < 8;
        return zero ? Integer(0) : static_cast<Integer>(std::uint64_t{1} << (8 * sizeof(Integer) - 1));
    }
    const Float end = std::ldexp(Float(1), Limits::digits);  // the first number that is too large
    if (whole >= end) return Limits::max();
    if (whole < static_cast<Float>(Limits::min())) return Limits::min();
    return static_cast<Integer>(whole);
}

}  // namespace emulator

// ---------------------------------------------------------------------------------------------------- bits as numbers

inline int __float_as_int(float x) {
    return emulator::bits_as<int>(x);
}
inline unsigned int __float_as_uint(float x) {
    return emulator::bits_as<unsigned int>(x);
}
inline float __int_as_float(int x) {
    return emulator::bits_as<float>(x);
}
inline float __uint_as_float(unsigned int x) {
    return emulator::bits_as<float>(x);
}
inline long long __double_as_longlong(double x) {
    return emulator::bits_as<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return emulator::bits_as<double>(x);
}
inline int __double2hiint(double x) {
    return static_cast<int>(emulator::bits_as<unsigned long long>(x) >> 32);
}
inline int __double2loint(double x) {
    return static_cast<int>(emulator::bits_as<unsigned long long>(x));
}
inline double __hiloint2double(int hi, int lo) {
    return emulator::bits_as<double>(std::uint64_t{static_cast<unsigned>(hi)} << 32 | static_cast<unsigned>(lo));
}

// --------------------------------------------------------------------------------------------------- counting in bits

inline int __popc(unsigned int x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~0u;
    const int step = offset > 0 ? 1 : -1;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
        if ((mask >> i & 1) == 0) continue;
        offset -= step;
        if (offset == 0) return static_cast<unsigned int>(i);
    }
    return ~0u;
}
inline unsigned int __brev(unsigned int x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    const unsigned low = static_cast<unsigned>(x), high = static_cast<unsigned>(x >> 32);
    return std::uint64_t{__brev(low)} << 32 | __brev(high);
}

/// Each of the four lowest hexadecimal digits of s picks one of the eight bytes of y:x by its three lowest bits.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
    const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

/// The high word of hi:lo shifted left, or the low word of it shifted right. _l and _r take the shift modulo 32, _lc
/// and _rc at most 32.
inline unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
    return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) << (shift & 31) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
    return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) >> (shift & 31));
}
inline unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) << (shift < 32 ? shift : 32) >> 32);
}
inline unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return static_cast<unsigned>((std::uint64_t{hi} << 32 | lo) >> (shift < 32 ? shift : 32));
}

// -------------------------------------------------------------------------------------------------- integer arithmetic

inline int __mulhi(int x, int y) {
    return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
    return static_cast<unsigned>(std::uint64_t{x} * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
    return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
/// The product of the 24 lowest bits, of which the 32 lowest bits.
inline unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
inline int __mul24(int x, int y) {
    const auto low = [](int v) { return static_cast<int>(static_cast<unsigned>(v) << 8) >> 8; };
    return static_cast<int>(static_cast<long long>(low(x)) * low(y));
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}
inline unsigned int __sad(int x, int y, unsigned int z) {
    const unsigned a = static_cast<unsigned>(x), b = static_cast<unsigned>(y);
    return (x > y ? a - b : b - a) + z;
}
inline int __hadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
inline int __rhadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
    return static_cast<unsigned>((std::uint64_t{x} + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
    return static_cast<unsigned>((std::uint64_t{x} + y + 1) >> 1);
}

// ------------------------------------------------------------------------------------- several small integers in a
// word

namespace emulator {
namespace lanes {

/// f(a, b) of each lane, computed in int.
template <class Lane, class F>
unsigned each(unsigned a, unsigned b, F f) {
    constexpr unsigned bits = 8 * sizeof(Lane), mask = (1u << bits) - 1;
    unsigned result = 0;
    for (unsigned shift = 0; shift < 32; shift += bits) {
        const int x = static_cast<Lane>(a >> shift), y = static_cast<Lane>(b >> shift);
        result |= (static_cast<unsigned>(f(x, y)) & mask) << shift;
    }
    return result;
}

template <class Lane>
int clamp(int x) {
    using Limits = std::numeric_limits<Lane>;
    return x < Limits::min() ? Limits::min() : x > Limits::max() ? Limits::max() : x;
}

/// The sum of all lanes of f(a, b).
template <class Lane, class F>
unsigned sum(unsigned a, unsigned b, F f) {
    unsigned total = 0;
    each<Lane>(a, b, [&](int x, int y) { return total += static_cast<unsigned>(f(x, y)), 0; });
    return total;
}

inline int absolute(int x) {
    return x < 0 ? -x : x;
}

}  // namespace lanes
}  // namespace emulator

#define EMULATOR_LANES(name, Lane, expression)                                                        \
    inline unsigned int name(unsigned int a, unsigned int b) {                                        \
        return ::emulator::lanes::each<Lane>(a, b, [](int x, int y) -> int { return (expression); }); \
    }
#define EMULATOR_LANES_OF_ONE(name, Lane, expression)                                               \
    inline unsigned int name(unsigned int a) {                                                      \
        return ::emulator::lanes::each<Lane>(a, 0, [](int x, int) -> int { return (expression); }); \
    }
#define EMULATOR_LANES_SUM(name, Lane, expression)                                                   \
    inline unsigned int name(unsigned int a, unsigned int b) {                                       \
        return ::emulator::lanes::sum<Lane>(a, b, [](int x, int y) -> int { return (expression); }); \
    }
// __vcmp…: all bits of a lane or none; __vset…: 1 or 0.
#define EMULATOR_LANES_COMPARE(how, n, Lane, expression)   \
    EMULATOR_LANES(__vcmp##how##n, Lane, -int(expression)) \
    EMULATOR_LANES(__vset##how##n, Lane, int(expression))
#define EMULATOR_LANES_ALL(n, Signed, Unsigned)                                                                  \
    EMULATOR_LANES_OF_ONE(__vabs##n, Signed, ::emulator::lanes::absolute(x))                                     \
    EMULATOR_LANES_OF_ONE(__vabsss##n, Signed, ::emulator::lanes::clamp<Signed>(::emulator::lanes::absolute(x))) \
    EMULATOR_LANES_OF_ONE(__vneg##n, Signed, -x)                                                                 \
    EMULATOR_LANES_OF_ONE(__vnegss##n, Signed, ::emulator::lanes::clamp<Signed>(-x))                             \
    EMULATOR_LANES(__vadd##n, Unsigned, x + y)                                                                   \
    EMULATOR_LANES(__vaddss##n, Signed, ::emulator::lanes::clamp<Signed>(x + y))                                 \
    EMULATOR_LANES(__vaddus##n, Unsigned, ::emulator::lanes::clamp<Unsigned>(x + y))                             \
    EMULATOR_LANES(__vsub##n, Unsigned, x - y)                                                                   \
    EMULATOR_LANES(__vsubss##n, Signed, ::emulator::lanes::clamp<Signed>(x - y))                                 \
    EMULATOR_LANES(__vsubus##n, Unsigned, ::emulator::lanes::clamp<Unsigned>(x - y))                             \
    EMULATOR_LANES(__vavgs##n, Signed, (x + y + (x + y >= 0)) >> 1)                                              \
    EMULATOR_LANES(__vavgu##n, Unsigned, (x + y + 1) >> 1)                                                       \
    EMULATOR_LANES(__vhaddu##n, Unsigned, (x + y) >> 1)                                                          \
    EMULATOR_LANES(__vabsdiffs##n, Signed, ::emulator::lanes::absolute(x - y))                                   \
    EMULATOR_LANES(__vabsdiffu##n, Unsigned, ::emulator::lanes::absolute(x - y))                                 \
    EMULATOR_LANES(__vmaxs##n, Signed, x > y ? x : y)                                                            \
    EMULATOR_LANES(__vmaxu##n, Unsigned, x > y ? x : y)                                                          \
    EMULATOR_LANES(__vmins##n, Signed, x < y ? x : y)                                                            \
    EMULATOR_LANES(__vminu##n, Unsigned, x < y ? x : y)                                                          \
    EMULATOR_LANES_SUM(__vsads##n, Signed, ::emulator::lanes::absolute(x - y))                                   \
    EMULATOR_LANES_SUM(__vsadu##n, Unsigned, ::emulator::lanes::absolute(x - y))                                 \
    EMULATOR_LANES_COMPARE(eq, n, Unsigned, x == y)                                                              \
    EMULATOR_LANES_COMPARE(ne, n, Unsigned, x != y)                                                              \
    EMULATOR_LANES_COMPARE(ges, n, Signed, x >= y)                                                               \
    EMULATOR_LANES_COMPARE(geu, n, Unsigned, x >= y)                                                             \
    EMULATOR_LANES_COMPARE(gts, n, Signed, x > y)                                                                \
    EMULATOR_LANES_COMPARE(gtu, n, Unsigned, x > y)                                                              \
    EMULATOR_LANES_COMPARE(les, n, Signed, x <= y)                                                               \
    EMULATOR_LANES_COMPARE(leu, n, Unsigned, x <= y)                                                             \
    EMULATOR_LANES_COMPARE(lts, n, Signed, x < y)                                                                \
    EMULATOR_LANES_COMPARE(ltu, n, Unsigned, x < y)
EMULATOR_LANES_ALL(2, std::int16_t, std::uint16_t)
EMULATOR_LANES_ALL(4, std::int8_t, std::uint8_t)
#undef EMULATOR_LANES
#undef EMULATOR_LANES_OF_ONE
#undef EMULATOR_LANES_SUM
#undef EMULATOR_LANES_COMPARE
#undef EMULATOR_LANES_ALL

/// c plus the products of the four bytes.
inline int __dp4a(int a, int b, int c) {
    return static_cast<int>(static_cast<unsigned>(c) +
                            emulator::lanes::sum<std::int8_t>(a, b, [](int x, int y) { return x * y; }));
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    return c + emulator::lanes::sum<std::uint8_t>(a, b, [](int x, int y) { return x * y; });
}
inline int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(emulator::bits_as<int>(a), emulator::bits_as<int>(b), c);
}
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
    return __dp4a(emulator::bits_as<unsigned int>(a), emulator::bits_as<unsigned int>(b), c);
}

/// c plus the products of the two halves of a with the two low (or high) bytes of b.
inline int __dp2a_lo(int a, int b, int c) {
    const auto product = [=](int i) {
        return static_cast<std::int16_t>(a >> 16 * i) * static_cast<std::int8_t>(b >> 8 * i);
    };
    return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(product(0) + product(1)));
}
inline int __dp2a_hi(int a, int b, int c) {
    return __dp2a_lo(a, b >> 16, c);
}
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
    return __dp2a_lo(a, b >> 16, c);
}
#define EMULATOR_DP2A(name)                                                                         \
    inline int name(short2 a, char4 b, int c) {                                                     \
        return name(::emulator::bits_as<int>(a), ::emulator::bits_as<int>(b), c);                   \
    }                                                                                               \
    inline unsigned int name(ushort2 a, uchar4 b, unsigned int c) {                                 \
        return name(::emulator::bits_as<unsigned int>(a), ::emulator::bits_as<unsigned int>(b), c); \
    }
EMULATOR_DP2A(__dp2a_lo)
EMULATOR_DP2A(__dp2a_hi)
#undef EMULATOR_DP2A

// ------------------------------------------------------------------------------------------ floating point to integers

#define EMULATOR_TO_INTEGER(name, Float, Integer)                 \
    inline Integer name##_rn(Float x) {                           \
        return ::emulator::saturated<Integer>(std::nearbyint(x)); \
    }                                                             \
    inline Integer name##_rz(Float x) {                           \
        return ::emulator::saturated<Integer>(std::trunc(x));     \
    }                                                             \
    inline Integer name##_ru(Float x) {                           \
        return ::emulator::saturated<Integer>(std::ceil(x));      \
    }                                                             \
    inline Integer name##_rd(Float x) {                           \
        return ::emulator::saturated<Integer>(std::floor(x));     \
    }
EMULATOR_TO_INTEGER(__float2int, float, int)
EMULATOR_TO_INTEGER(__float2uint, float, unsigned int)
EMULATOR_TO_INTEGER(__float2ll, float, long long)
EMULATOR_TO_INTEGER(__float2ull, float, unsigned long long)
EMULATOR_TO_INTEGER(__double2int, double, int)
EMULATOR_TO_INTEGER(__double2uint, double, unsigned int)
EMULATOR_TO_INTEGER(__double2ll, double, long long)
EMULATOR_TO_INTEGER(__double2ull, double, unsigned long long)
#undef EMULATOR_TO_INTEGER

// ------------------------------------------------------------------------------------------------- loads and stores

// clang-format indents such a list further with each line, and differently each time.
// clang-format off
#define EMULATOR_CACHED_TYPES(M) \
    M(char) M(signed char) M(short) M(int) M(long) M(long long) M(unsigned char) M(unsigned short) M(unsigned int) \
    M(unsigned long) M(unsigned long long) M(char2) M(char4) M(short2) M(short4) M(int2) M(int4) M(longlong2) \
    M(uchar2) M(uchar4) M(ushort2) M(ushort4) M(uint2) M(uint4) M(ulonglong2) M(float) M(double) M(float2) M(float4) \
    M(double2)
// clang-format on

#define EMULATOR_LOAD(name, T)    \
    inline T name(const T* ptr) { \
        return *ptr;              \
    }
#define EMULATOR_READ_ONLY(T)                        \
    inline T __ldg(const T* ptr) {                   \
        ::emulator::check_read_only(ptr, sizeof(T)); \
        return *ptr;                                 \
    }
#define EMULATOR_STORE(name, T)         \
    inline void name(T* ptr, T value) { \
        *ptr = value;                   \
    }
// __ldcv reads anew each time: the compiler may not remember what was there.
#define EMULATOR_LOADS_AND_STORES(T)             \
    EMULATOR_READ_ONLY(T)                        \
    EMULATOR_LOAD(__ldcg, T)                     \
    EMULATOR_LOAD(__ldca, T)                     \
    EMULATOR_LOAD(__ldcs, T)                     \
    EMULATOR_LOAD(__ldlu, T)                     \
    inline T __ldcv(const T* ptr) {              \
        __atomic_signal_fence(__ATOMIC_SEQ_CST); \
        return *ptr;                             \
    }                                            \
    EMULATOR_STORE(__stwb, T)                    \
    EMULATOR_STORE(__stcg, T)                    \
    EMULATOR_STORE(__stcs, T)                    \
    EMULATOR_STORE(__stwt, T)
EMULATOR_CACHED_TYPES(EMULATOR_LOADS_AND_STORES)
#undef EMULATOR_CACHED_TYPES
#undef EMULATOR_LOAD
#undef EMULATOR_READ_ONLY
#undef EMULATOR_STORE
#undef EMULATOR_LOADS_AND_STORES

// -------------------------------------------------------------------------------------------------------------- clocks

namespace emulator {

/// <chrono> would double the time that a small program takes to compile.
inline long long nanoseconds(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

}  // namespace emulator

/// Nanoseconds, as clock() in a kernel. On a GPU, cycles of the multiprocessor.
inline long long clock64() {
    return emulator::nanoseconds(CLOCK_MONOTONIC);
}
