#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "emulator/address_spaces.h"
#include "emulator/atomics.h"
#include "emulator/bulk_copies.h"
#include "emulator/intrinsics.h"
#include "emulator/mbarrier.h"
#include "emulator/ordered_atomics.h"
#include "emulator/ptx_instructions.h"
#include "emulator/tensor_maps.h"
#include "emulator/warp.h"

// The instructions of inline PTX that compute, touch memory or wait: rewriter/passes/ptx_forms.py has the table of
// those that there are, with the function here that each becomes. Registers are std::uint64_t, whatever their type is:
// a function takes as many of the low bits as the instruction's type has.
namespace emulator::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using b8 = u8;
using b16 = u16;
using b32 = u32;
using b64 = u64;
using f32 = float;
using f64 = double;
using f16 = Float16Bits<Float16<10, -14>>;
using bf16 = Float16Bits<Float16<7, -126>>;
using pred = bool;

/// A register that the statement declares, `.reg .u32 t;`.
struct Register {
    std::uint64_t bits = 0;

    EMULATOR_INLINE operator std::uint64_t() const { return bits; }
    EMULATOR_INLINE operator Variable() { return {nullptr, &bits}; }
    EMULATOR_INLINE void operator=(std::uint64_t other) { bits = other; }
};

template <class T>
EMULATOR_INLINE T of(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, float>)
        return bits_as<float>(static_cast<u32>(bits));
    else if constexpr (std::is_same_v<T, double>)
        return bits_as<double>(bits);
    else
        return static_cast<T>(bits);
}
template <class T>
EMULATOR_INLINE std::uint64_t bits(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::uint64_t>(x);
    else
        return to_bits(x);
}

template <class T>
inline constexpr unsigned width = 8 * sizeof(T);

// Products have twice as many bits.
template <class T>
struct Twice;
template <>
struct Twice<u16> {
    using Type = u32;
};
template <>
struct Twice<s16> {
    using Type = s32;
};
template <>
struct Twice<u32> {
    using Type = u64;
};
template <>
struct Twice<s32> {
    using Type = s64;
};
template <>
struct Twice<u64> {
    __extension__ using Type = unsigned __int128;
};
template <>
struct Twice<s64> {
    __extension__ using Type = __int128;
};
template <class T>
EMULATOR_INLINE typename Twice<T>::Type product(std::uint64_t a, std::uint64_t b) {
    using Wide = typename Twice<T>::Type;
    return static_cast<Wide>(Wide{of<T>(a)} * Wide{of<T>(b)});
}

// Subnormal numbers are zeros to an instruction with .ftz.
template <bool ftz>
EMULATOR_INLINE float flush(float x) {
    return ftz ? atomics::flushed(x) : x;
}
template <bool>
EMULATOR_INLINE double flush(double x) {
    return x;
}
template <class T, bool ftz>
EMULATOR_INLINE T number(std::uint64_t a) {
    return flush<ftz>(of<T>(a));
}
template <bool ftz, class T>
EMULATOR_INLINE std::uint64_t result(T x) {
    return to_bits(flush<ftz>(x));
}

// ---------------------------------------------------------------------------------------------------------- arithmetic

#define EMULATOR_PTX_BINARY(name, whole, floating)                         \
    template <class T, bool ftz = false>                                   \
    EMULATOR_INLINE std::uint64_t name(std::uint64_t a, std::uint64_t b) { \
        if constexpr (std::is_integral_v<T>) {                             \
            [[maybe_unused]] const T x = of<T>(a), y = of<T>(b);           \
            return bits(static_cast<T>(whole));                            \
        } else {                                                           \
            const T x = number<T, ftz>(a), y = number<T, ftz>(b);          \
            return result<ftz>(floating);                                  \
        }                                                                  \
    }
EMULATOR_PTX_BINARY(add, a + b, x + y)
EMULATOR_PTX_BINARY(sub, a - b, x - y)
EMULATOR_PTX_BINARY(mul, a* b, x* y)
EMULATOR_PTX_BINARY(div, x / y, x / y)
EMULATOR_PTX_BINARY(min, x < y ? x : y, std::fmin(x, y))
EMULATOR_PTX_BINARY(max, x < y ? y : x, std::fmax(x, y))
#undef EMULATOR_PTX_BINARY

/// Of a NaN and a number it is the NaN.
template <class T, bool ftz = false>
EMULATOR_INLINE std::uint64_t min_nan(std::uint64_t a, std::uint64_t b) {
    return std::isnan(of<T>(a)) || std::isnan(of<T>(b)) ? 0x7fffffff : min<T, ftz>(a, b);
}
template <class T, bool ftz = false>
EMULATOR_INLINE std::uint64_t max_nan(std::uint64_t a, std::uint64_t b) {
    return std::isnan(of<T>(a)) || std::isnan(of<T>(b)) ? 0x7fffffff : max<T, ftz>(a, b);
}
/// Not less than 0, and not more than 1; of a NaN 0.
EMULATOR_INLINE std::uint64_t saturate(std::uint64_t a) {
    const float x = of<f32>(a);
    return bits(x > 0 ? std::fmin(x, 1.0f) : 0.0f);
}

EMULATOR_INLINE std::uint64_t clamped(std::int64_t x) {
    return bits(static_cast<s32>(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x));
}
EMULATOR_INLINE std::uint64_t add_sat(std::uint64_t a, std::uint64_t b) {
    return clamped(std::int64_t{of<s32>(a)} + of<s32>(b));
}
EMULATOR_INLINE std::uint64_t sub_sat(std::uint64_t a, std::uint64_t b) {
    return clamped(std::int64_t{of<s32>(a)} - of<s32>(b));
}
template <class T>
EMULATOR_INLINE std::uint64_t rem(std::uint64_t a, std::uint64_t b) {
    return bits(static_cast<T>(of<T>(a) % of<T>(b)));
}
template <class T>
EMULATOR_INLINE std::uint64_t mul_lo(std::uint64_t a, std::uint64_t b) {
    return bits(of<T>(a * b));
}
template <class T>
EMULATOR_INLINE std::uint64_t mul_hi(std::uint64_t a, std::uint64_t b) {
    return bits(static_cast<T>(product<T>(a, b) >> width<T>));
}
template <class T>
EMULATOR_INLINE std::uint64_t mul_wide(std::uint64_t a, std::uint64_t b) {
    return bits(product<T>(a, b));
}
template <class T>
EMULATOR_INLINE std::uint64_t mad_lo(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bits(of<T>(a * b + c));
}
template <class T>
EMULATOR_INLINE std::uint64_t mad_hi(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bits(of<T>(mul_hi<T>(a, b) + c));
}
template <class T>
EMULATOR_INLINE std::uint64_t mad_wide(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bits(of<typename Twice<T>::Type>(mul_wide<T>(a, b) + c));
}
template <class T, bool ftz = false>
EMULATOR_INLINE std::uint64_t fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return result<ftz>(std::fma(number<T, ftz>(a), number<T, ftz>(b), number<T, ftz>(c)));
}

/// `takes`: adds the carry; `gives`: sets it, for the instructions behind this one.
template <class T, bool takes, bool gives>
EMULATOR_INLINE std::uint64_t add_carrying(std::uint64_t a, std::uint64_t b, unsigned& carry) {
    using Unsigned = std::make_unsigned_t<T>;
    using Wide = typename Twice<Unsigned>::Type;
    const Wide sum = Wide{of<Unsigned>(a)} + of<Unsigned>(b) + (takes ? carry : 0);
    if (gives) carry = static_cast<unsigned>(sum >> width<T>);
    return bits(static_cast<Unsigned>(sum));
}
/// The carry is what was borrowed.
template <class T, bool takes, bool gives>
EMULATOR_INLINE std::uint64_t sub_carrying(std::uint64_t a, std::uint64_t b, unsigned& carry) {
    using Unsigned = std::make_unsigned_t<T>;
    using Wide = typename Twice<Unsigned>::Type;
    const Wide difference = Wide{of<Unsigned>(a)} - of<Unsigned>(b) - (takes ? carry : 0);
    if (gives) carry = static_cast<unsigned>(difference >> width<T>) & 1;
    return bits(static_cast<Unsigned>(difference));
}
template <class T, bool takes, bool gives>
EMULATOR_INLINE std::uint64_t mad_carrying_lo(std::uint64_t a, std::uint64_t b, std::uint64_t c, unsigned& carry) {
    return add_carrying<T, takes, gives>(mul_lo<T>(a, b), c, carry);
}
template <class T, bool takes, bool gives>
EMULATOR_INLINE std::uint64_t mad_carrying_hi(std::uint64_t a, std::uint64_t b, std::uint64_t c, unsigned& carry) {
    return add_carrying<T, takes, gives>(mul_hi<T>(a, b), c, carry);
}

/// c plus the products of the two halves of a with two bytes of b, the lower or the upper ones.
template <class A, class B>
EMULATOR_INLINE std::uint64_t dp2a_lo(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    using Left = std::conditional_t<std::is_signed_v<A>, s16, u16>;
    using Right = std::conditional_t<std::is_signed_v<B>, s8, u8>;
    for (unsigned i = 0; i < 2; ++i)
        c += static_cast<std::uint64_t>(std::int64_t{of<Left>(a >> 16 * i)} * of<Right>(b >> 8 * i));
    return static_cast<u32>(c);
}
template <class A, class B>
EMULATOR_INLINE std::uint64_t dp2a_hi(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return dp2a_lo<A, B>(a, b >> 16, c);
}
template <class T>
EMULATOR_INLINE std::uint64_t sad(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bits(of<T>(c + (of<T>(a) < of<T>(b) ? b - a : a - b)));
}
/// Of the lowest 24 bits.
template <class T>
EMULATOR_INLINE std::uint64_t mul24_lo(std::uint64_t a, std::uint64_t b) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint64_t>(of<T>(x << 8) >> 8); };
    return bits(of<T>(low(a) * low(b)));
}
template <class T>
EMULATOR_INLINE std::uint64_t mad24_lo(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bits(of<T>(mul24_lo<T>(a, b) + c));
}
/// The differences of the four bytes, without their signs.
EMULATOR_INLINE std::uint64_t vabsdiff4(std::uint64_t a, std::uint64_t b) {
    std::uint64_t differences = 0;
    for (unsigned i = 0; i < 32; i += 8)
        differences |= static_cast<std::uint64_t>(std::abs(of<u8>(a >> i) - of<u8>(b >> i))) << i;
    return differences;
}
EMULATOR_INLINE std::uint64_t vabsdiff4_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t differences = vabsdiff4(a, b);
    for (unsigned i = 0; i < 32; i += 8) c += of<u8>(differences >> i);
    return static_cast<u32>(c);
}
/// b with the sign of a.
template <class T>
EMULATOR_INLINE std::uint64_t copysign(std::uint64_t a, std::uint64_t b) {
    return bits(std::copysign(of<T>(b), of<T>(a)));
}

/// c plus the products of the four bytes.
template <class A, class B>
EMULATOR_INLINE std::uint64_t dp4a(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    using Left = std::conditional_t<std::is_signed_v<A>, s8, u8>;
    using Right = std::conditional_t<std::is_signed_v<B>, s8, u8>;
    for (unsigned i = 0; i < 32; i += 8) c += static_cast<std::uint64_t>(of<Left>(a >> i) * of<Right>(b >> i));
    return static_cast<u32>(c);
}

#define EMULATOR_PTX_UNARY(name, expression)              \
    template <class T, bool ftz = false>                  \
    EMULATOR_INLINE std::uint64_t name(std::uint64_t a) { \
        const T x = number<T, ftz>(a);                    \
        return result<ftz>(static_cast<T>(expression));   \
    }
EMULATOR_PTX_UNARY(sqrt, std::sqrt(x))
EMULATOR_PTX_UNARY(rcp, 1 / x)
EMULATOR_PTX_UNARY(rsqrt, 1 / std::sqrt(x))
EMULATOR_PTX_UNARY(ex2, std::exp2(x))
EMULATOR_PTX_UNARY(lg2, std::log2(x))
EMULATOR_PTX_UNARY(sin, std::sin(x))
EMULATOR_PTX_UNARY(cos, std::cos(x))
EMULATOR_PTX_UNARY(tanh, std::tanh(x))
#undef EMULATOR_PTX_UNARY

template <class T, bool ftz = false>
EMULATOR_INLINE std::uint64_t neg(std::uint64_t a) {
    if constexpr (std::is_integral_v<T>)
        return bits(of<T>(0 - a));
    else
        return result<ftz>(-of<T>(a));
}
template <class T, bool ftz = false>
EMULATOR_INLINE std::uint64_t abs(std::uint64_t a) {
    if constexpr (std::is_integral_v<T>)
        return bits(of<T>(of<T>(a) < 0 ? 0 - a : a));
    else
        return result<ftz>(std::fabs(of<T>(a)));
}

// ---------------------------------------------------------------------------------------------------------------- bits

EMULATOR_INLINE std::uint64_t bit_and(std::uint64_t a, std::uint64_t b) {
    return a & b;
}
EMULATOR_INLINE std::uint64_t bit_or(std::uint64_t a, std::uint64_t b) {
    return a | b;
}
EMULATOR_INLINE std::uint64_t bit_xor(std::uint64_t a, std::uint64_t b) {
    return a ^ b;
}
template <class T>
EMULATOR_INLINE std::uint64_t bit_not(std::uint64_t a) {
    return std::is_same_v<T, pred> ? a == 0 : bits(of<T>(~a));
}
template <class T>
EMULATOR_INLINE std::uint64_t cnot(std::uint64_t a) {
    return of<T>(a) == 0 ? 1 : 0;
}
/// Bit 4 a + 2 b + c of `table` for each bit of a, b and c.
EMULATOR_INLINE std::uint64_t lop3(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 8; ++i)
        if ((table >> i & 1) != 0) found |= ((i & 4) ? a : ~a) & ((i & 2) ? b : ~b) & ((i & 1) ? c : ~c);
    return static_cast<u32>(found);
}
/// Shifts by more bits than there are leave nothing, or the sign.
template <class T>
EMULATOR_INLINE std::uint64_t shl(std::uint64_t a, std::uint64_t n) {
    return static_cast<u32>(n) >= width<T> ? 0 : bits(of<T>(a << (n & 63)));
}
template <class T>
EMULATOR_INLINE std::uint64_t shr(std::uint64_t a, std::uint64_t n) {
    const T x = of<T>(a);
    if (static_cast<u32>(n) >= width<T>) return bits(static_cast<T>(x < 0 ? -1 : 0));
    return bits(static_cast<T>(x >> (n & 63)));
}
EMULATOR_INLINE std::uint64_t shf_l_wrap(std::uint64_t low, std::uint64_t high, std::uint64_t n) {
    return __funnelshift_l(of<u32>(low), of<u32>(high), of<u32>(n));
}
EMULATOR_INLINE std::uint64_t shf_l_clamp(std::uint64_t low, std::uint64_t high, std::uint64_t n) {
    return __funnelshift_lc(of<u32>(low), of<u32>(high), of<u32>(n));
}
EMULATOR_INLINE std::uint64_t shf_r_wrap(std::uint64_t low, std::uint64_t high, std::uint64_t n) {
    return __funnelshift_r(of<u32>(low), of<u32>(high), of<u32>(n));
}
EMULATOR_INLINE std::uint64_t shf_r_clamp(std::uint64_t low, std::uint64_t high, std::uint64_t n) {
    return __funnelshift_rc(of<u32>(low), of<u32>(high), of<u32>(n));
}

/// Four of the eight bytes of b:a; choose(i) is the number of the i-th.
template <class Choose>
EMULATOR_INLINE std::uint64_t permuted(std::uint64_t a, std::uint64_t b, Choose choose) {
    const std::uint64_t bytes = b << 32 | static_cast<u32>(a);
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 4; ++i) found |= (bytes >> 8 * (choose(i) & 7) & 0xff) << 8 * i;
    return found;
}
/// The highest of the four bits that choose a byte asks for its sign.
EMULATOR_INLINE std::uint64_t prmt(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t chosen = permuted(a, b, [=](unsigned i) { return c >> 4 * i; });
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const auto byte = static_cast<u8>(chosen >> 8 * i);
        const bool sign = (c >> 4 * i & 8) != 0;
        found |= std::uint64_t{sign ? static_cast<u8>(byte >= 0x80 ? 0xff : 0) : byte} << 8 * i;
    }
    return found;
}
EMULATOR_INLINE std::uint64_t prmt_f4e(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return permuted(a, b, [=](unsigned i) { return (c & 3) + i; });
}
EMULATOR_INLINE std::uint64_t prmt_b4e(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return permuted(a, b, [=](unsigned i) { return (c & 3) - i; });
}
EMULATOR_INLINE std::uint64_t prmt_rc8(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return permuted(a, b, [=](unsigned) { return c & 3; });
}
EMULATOR_INLINE std::uint64_t prmt_ecl(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return permuted(a, b, [=](unsigned i) { return i > (c & 3) ? i : c & 3; });
}
EMULATOR_INLINE std::uint64_t prmt_ecr(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return permuted(a, b, [=](unsigned i) { return i < (c & 3) ? i : c & 3; });
}
EMULATOR_INLINE std::uint64_t prmt_rc16(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return permuted(a, b, [=](unsigned i) { return (c & 1) * 2 + (i & 1); });
}

/// `length` bits of a from `begin` on; behind the end of a, and behind the field of a signed one, its highest bit.
template <class T>
EMULATOR_INLINE std::uint64_t bfe(std::uint64_t a, std::uint64_t begin, std::uint64_t length) {
    begin &= 0xff;
    length &= 0xff;
    const std::uint64_t last = begin + length - 1 < width<T> ? begin + length - 1 : width<T> - 1;
    const bool sign = std::is_signed_v<T> && length > 0 && (a >> last & 1) != 0;
    std::uint64_t found = 0;
    for (unsigned i = 0; i < width<T>; ++i)
        found |= std::uint64_t{i < length && begin + i < width<T> ? (a >> (begin + i) & 1) != 0 : sign} << i;
    return bits(of<T>(found));
}
/// b with the lowest bits of a from `begin` on.
template <class T>
EMULATOR_INLINE std::uint64_t bfi(std::uint64_t a, std::uint64_t b, std::uint64_t begin, std::uint64_t length) {
    begin &= 0xff;
    length &= 0xff;
    if (begin >= width<T> || length == 0) return bits(of<T>(b));
    const std::uint64_t field = length >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
    return bits(of<T>((b & ~(field << begin)) | (a & field) << begin));
}
/// The highest bit that is set, or that differs from the sign; all bits if there is none.
template <class T>
EMULATOR_INLINE std::uint64_t bfind(std::uint64_t a) {
    const T x = of<T>(a);
    const auto found = bits(static_cast<std::make_unsigned_t<T>>(x < 0 ? ~x : x));
    return found == 0 ? 0xffffffff : 63 - static_cast<unsigned>(__builtin_clzll(found));
}
template <class T>
EMULATOR_INLINE std::uint64_t bfind_shiftamt(std::uint64_t a) {
    const std::uint64_t found = bfind<T>(a);
    return found == 0xffffffff ? found : width<T> - 1 - found;
}
/// So many ones from a bit on; of both, more than 31 are cut off, or all but the lowest 5 bits are.
EMULATOR_INLINE std::uint64_t bmsk_clamp(std::uint64_t from, std::uint64_t ones) {
    const u32 begin = of<u32>(from), length = of<u32>(ones);
    const u32 mask = length > 31 ? ~u32{0} : (u32{1} << length) - 1;
    return begin > 31 ? 0 : mask << begin;
}
EMULATOR_INLINE std::uint64_t bmsk_wrap(std::uint64_t from, std::uint64_t ones) {
    return bmsk_clamp(from & 31, ones & 31);
}
/// The lowest bits of a, the highest of which is the sign of a signed one.
template <class T>
EMULATOR_INLINE std::uint64_t szext_clamp(std::uint64_t a, std::uint64_t length) {
    return of<u32>(length) > 31 ? bits(of<T>(a)) : bfe<T>(a, 0, of<u32>(length));
}
template <class T>
EMULATOR_INLINE std::uint64_t szext_wrap(std::uint64_t a, std::uint64_t length) {
    return szext_clamp<T>(a, length & 31);
}
template <class T>
EMULATOR_INLINE std::uint64_t popc(std::uint64_t a) {
    return static_cast<unsigned>(__builtin_popcountll(of<T>(a)));
}
template <class T>
EMULATOR_INLINE std::uint64_t clz(std::uint64_t a) {
    const T x = of<T>(a);
    return x == 0 ? width<T> : static_cast<unsigned>(__builtin_clzll(x)) - (64 - width<T>);
}
template <class T>
EMULATOR_INLINE std::uint64_t brev(std::uint64_t a) {
    return __brevll(a) >> (64 - width<T>);
}

// ---------------------------------------------------------------------------------------- moves, comparisons,
// conversions

EMULATOR_INLINE std::uint64_t mov(std::uint64_t a) {
    return a;
}
/// The parts of so many bits, the lowest first.
EMULATOR_INLINE void unpack(unsigned width, std::initializer_list<Variable> parts, std::uint64_t whole) {
    const unsigned each = width / static_cast<unsigned>(parts.size());
    for (const Variable& part : parts) {
        part = whole & ((std::uint64_t{1} << each) - 1);
        whole >>= each;
    }
}
EMULATOR_INLINE std::uint64_t pack(unsigned width, std::initializer_list<std::uint64_t> parts) {
    const unsigned each = width / static_cast<unsigned>(parts.size());
    std::uint64_t whole = 0;
    unsigned at = 0;
    for (const std::uint64_t part : parts) {
        whole |= (part & ((std::uint64_t{1} << each) - 1)) << at;
        at += each;
    }
    return whole;
}

// No comparison of a NaN holds, not even ne.
#define EMULATOR_PTX_COMPARISON(name, expression)                                 \
    template <class T, bool ftz = false>                                          \
    EMULATOR_INLINE std::uint64_t setp_##name(std::uint64_t a, std::uint64_t b) { \
        T x = of<T>(a), y = of<T>(b);                                             \
        if constexpr (ftz) x = flush<true>(x), y = flush<true>(y);                \
        return (expression) ? 1 : 0;                                              \
    }
EMULATOR_PTX_COMPARISON(eq, x == y)
EMULATOR_PTX_COMPARISON(ne, x<y || x> y)
EMULATOR_PTX_COMPARISON(lt, x < y)
EMULATOR_PTX_COMPARISON(le, x <= y)
EMULATOR_PTX_COMPARISON(gt, x > y)
EMULATOR_PTX_COMPARISON(ge, x >= y)
// Those that hold of a NaN, too.
EMULATOR_PTX_COMPARISON(equ, !(x < y || x > y))
EMULATOR_PTX_COMPARISON(neu, !(x == y))
EMULATOR_PTX_COMPARISON(ltu, !(x >= y))
EMULATOR_PTX_COMPARISON(leu, !(x > y))
EMULATOR_PTX_COMPARISON(gtu, !(x <= y))
EMULATOR_PTX_COMPARISON(geu, !(x < y))
EMULATOR_PTX_COMPARISON(num, x == x && y == y)
EMULATOR_PTX_COMPARISON(nan, x != x || y != y)
#undef EMULATOR_PTX_COMPARISON

EMULATOR_INLINE std::uint64_t selp(std::uint64_t a, std::uint64_t b, bool first) {
    return first ? a : b;
}

/// a if c is not negative.
template <class T>
EMULATOR_INLINE std::uint64_t slct(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return of<T>(c) >= 0 ? a : b;
}
/// Whole numbers; what is beyond the range is its end.
template <class To, class From>
EMULATOR_INLINE std::uint64_t cvt_sat(std::uint64_t a) {
    using Limits = std::numeric_limits<To>;
    using Wide = typename Twice<s64>::Type;
    const Wide x = of<From>(a);
    return bits(x < Wide{Limits::min()} ? Limits::min() : x > Wide{Limits::max()} ? Limits::max() : static_cast<To>(x));
}
template <class To, class From>
EMULATOR_INLINE std::uint64_t cvt(std::uint64_t a) {
    return bits(static_cast<To>(of<From>(a)));
}
#define EMULATOR_PTX_ROUNDING(name, function)                               \
    template <class T>                                                      \
    EMULATOR_INLINE std::uint64_t round_##name(std::uint64_t a) {           \
        return bits(std::function(of<T>(a)));                               \
    }                                                                       \
    template <class To, class From, bool ftz = false>                       \
    EMULATOR_INLINE std::uint64_t cvt_##name(std::uint64_t a) {             \
        return bits(saturated<To>(std::function(flush<ftz>(of<From>(a))))); \
    }
EMULATOR_PTX_ROUNDING(rni, nearbyint)
EMULATOR_PTX_ROUNDING(rzi, trunc)
EMULATOR_PTX_ROUNDING(rmi, floor)
EMULATOR_PTX_ROUNDING(rpi, ceil)
#undef EMULATOR_PTX_ROUNDING
/// To the nearest with 10 bits behind the point, away from zero half-way.
EMULATOR_INLINE std::uint64_t cvt_tf32(std::uint64_t a) {
    const u32 x = of<u32>(a);
    return (x & 0x7f800000u) == 0x7f800000u ? x : (x + 0x1000u) & ~u32{0x1fff};
}

#define EMULATOR_PTX_TEST(name, expression)                       \
    template <class T>                                            \
    EMULATOR_INLINE std::uint64_t testp_##name(std::uint64_t a) { \
        const T x = of<T>(a);                                     \
        return (expression) ? 1 : 0;                              \
    }
EMULATOR_PTX_TEST(finite, std::isfinite(x))
EMULATOR_PTX_TEST(infinite, std::isinf(x))
EMULATOR_PTX_TEST(number, !std::isnan(x))
EMULATOR_PTX_TEST(notanumber, std::isnan(x))
EMULATOR_PTX_TEST(normal, std::isnormal(x))
EMULATOR_PTX_TEST(subnormal, x != 0 && std::isfinite(x) && !std::isnormal(x))
#undef EMULATOR_PTX_TEST

/// f() of each of two whole numbers of 16 bits in a register, and of those at the same place in the others.
template <class F, class... Registers>
EMULATOR_INLINE std::uint64_t each_short(F f, Registers... registers) {
    return static_cast<u32>(f(std::uint64_t{registers} >> 16 & 0xffff ...) << 16) |
           (f(std::uint64_t{registers} & 0xffff ...) & 0xffff);
}
/// f() of each of the two floats in a register of 64 bits, and of those at the same place in the others.
template <class F, class... Registers>
EMULATOR_INLINE std::uint64_t each_float(F f, Registers... registers) {
    return f(std::uint64_t{registers} >> 32 ...) << 32 |
           static_cast<u32>(f(std::uint64_t{static_cast<u32>(registers)}...));
}

// -------------------------------------------------------------------------------------------------------------- memory

/// A global address is a generic one, too.
EMULATOR_INLINE void* generic_address(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}
EMULATOR_INLINE void* shared_address(std::uint64_t address) {
    if (in_block(address) >= shared_memory_reserved)
        trap("used an address in shared memory that is none (__cvta_generic_to_shared() makes one of a pointer)");
    return __cvta_shared_to_generic(address);
}
EMULATOR_INLINE std::uint64_t cvta_global(std::uint64_t address) {
    return address;
}
EMULATOR_INLINE std::uint64_t cvta_to_global(std::uint64_t address) {
    return address;
}
EMULATOR_INLINE std::uint64_t cvta_shared(std::uint64_t address) {
    return reinterpret_cast<std::uint64_t>(__cvta_shared_to_generic(address));
}
EMULATOR_INLINE std::uint64_t cvta_to_shared(std::uint64_t address) {
    return __cvta_generic_to_shared(reinterpret_cast<const void*>(address));
}
#define EMULATOR_PTX_IS_IN(space, is_in)                                    \
    EMULATOR_INLINE std::uint64_t isspacep_##space(std::uint64_t address) { \
        return is_in(reinterpret_cast<const void*>(address)) ? 1 : 0;       \
    }
EMULATOR_PTX_IS_IN(global, __isGlobal)
EMULATOR_PTX_IS_IN(shared, __isShared)
EMULATOR_PTX_IS_IN(shared_cta, __isShared)
EMULATOR_PTX_IS_IN(shared_cluster, is_in_cluster_or_block)
EMULATOR_PTX_IS_IN(local, __isLocal)
EMULATOR_PTX_IS_IN(const, __isConstant)
#undef EMULATOR_PTX_IS_IN

EMULATOR_INLINE std::uint64_t mapa_shared(std::uint64_t address, std::uint64_t rank) {
    return static_cast<u32>(rank + 1) << shared_address_bits | in_block(address);
}
EMULATOR_INLINE std::uint64_t mapa(std::uint64_t address, std::uint64_t rank) {
    return reinterpret_cast<std::uint64_t>(map_to_cluster(reinterpret_cast<const void*>(address), of<u32>(rank)));
}
EMULATOR_INLINE std::uint64_t getctarank(std::uint64_t address) {
    return rank_in_cluster(reinterpret_cast<const void*>(address));
}
EMULATOR_INLINE std::uint64_t getctarank_shared(std::uint64_t address) {
    const std::uint64_t rank = address >> shared_address_bits;
    return rank == 0 ? block_rank_in_cluster() : rank - 1;
}

// One access to memory each time, which stays where it is: a thread may wait in a loop around it.
template <class T>
EMULATOR_INLINE T fetch(const T* address) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const T value = *address;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return value;
}
template <class T>
EMULATOR_INLINE void put(T* address, T value) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *address = value;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

template <class T, int n>
struct VectorOf {
    typedef T Type __attribute__((vector_size(n * sizeof(T))));
};
template <class T, int n, class Vector>
EMULATOR_INLINE void spread(std::initializer_list<Variable> d, const Vector& vector) {
    int i = 0;
    for (const Variable& each : d) each = bits(static_cast<T>(vector[i++]));
}
template <class T, int n>
EMULATOR_INLINE typename VectorOf<T, n>::Type gather(std::initializer_list<std::uint64_t> values) {
    typename VectorOf<T, n>::Type vector{};
    int i = 0;
    for (const std::uint64_t each : values) vector[i++] = of<T>(each);
    return vector;
}

template <class T>
EMULATOR_INLINE std::uint64_t load(const void* address) {
    return bits(fetch(static_cast<const T*>(address)));
}
template <class T, int n>
EMULATOR_INLINE void load_vector(std::initializer_list<Variable> d, const void* address) {
    spread<T, n>(d, fetch(static_cast<const typename VectorOf<T, n>::Type*>(address)));
}
template <class T>
EMULATOR_INLINE std::uint64_t load_read_only(const void* address) {
    check_read_only(address, sizeof(T));
    return load<T>(address);
}
template <class T, int n>
EMULATOR_INLINE void load_read_only_vector(std::initializer_list<Variable> d, const void* address) {
    check_read_only(address, n * sizeof(T));
    load_vector<T, n>(d, address);
}
template <class T>
EMULATOR_INLINE std::uint64_t load_volatile(const void* address) {
    return bits(static_cast<T>(*static_cast<const volatile T*>(address)));
}
template <class T, int n>
EMULATOR_INLINE void load_volatile_vector(std::initializer_list<Variable> d, const void* address) {
    using Vector = typename VectorOf<T, n>::Type;
    const Vector vector = *static_cast<const volatile Vector*>(address);
    spread<T, n>(d, vector);
}
template <class T>
EMULATOR_INLINE std::uint64_t load(const void* address, int order, int scope) {
    return bits(atomics::ordered_load(static_cast<const T*>(address), order, scope));
}
template <class T, int n>
EMULATOR_INLINE void load_vector(std::initializer_list<Variable> d, const void* address, int order, int scope) {
    const T* element = static_cast<const T*>(address);
    for (const Variable& each : d) each = bits(atomics::ordered_load(element++, order, scope));
}

template <class T>
EMULATOR_INLINE void store(void* address, std::uint64_t value) {
    put(static_cast<T*>(address), of<T>(value));
}
template <class T, int n>
EMULATOR_INLINE void store_vector(void* address, std::initializer_list<std::uint64_t> values) {
    put(static_cast<typename VectorOf<T, n>::Type*>(address), gather<T, n>(values));
}
template <class T>
EMULATOR_INLINE void store_volatile(void* address, std::uint64_t value) {
    *static_cast<volatile T*>(address) = of<T>(value);
}
template <class T, int n>
EMULATOR_INLINE void store_volatile_vector(void* address, std::initializer_list<std::uint64_t> values) {
    *static_cast<volatile typename VectorOf<T, n>::Type*>(address) = gather<T, n>(values);
}
template <class T>
EMULATOR_INLINE void store(void* address, std::uint64_t value, int order, int scope) {
    atomics::ordered_store(static_cast<T*>(address), of<T>(value), order, scope);
}
template <class T, int n>
EMULATOR_INLINE void store_vector(void* address, std::initializer_list<std::uint64_t> values, int order, int scope) {
    T* element = static_cast<T*>(address);
    for (const std::uint64_t each : values) atomics::ordered_store(element++, of<T>(each), order, scope);
}

/// The order and scope of an atomic operation. Without an order, -1, it is what atomicAdd() and its like are.
struct Meeting {
    int order, scope;
};

template <class T>
EMULATOR_INLINE void meet(const T* address, Meeting meeting, AtomicChange change = AtomicChange::combines) {
    if (meeting.order < 0)
        check_atomic(address, sizeof(T), atomics::meets_other_blocks(meeting.scope), change);
    else
        atomics::begin<T>(address, meeting.order, meeting.scope, AtomicUse::update, change);
}

#define EMULATOR_PTX_ATOMIC(name, function)                                                            \
    template <class T>                                                                                 \
    EMULATOR_INLINE std::uint64_t atomic_##name(void* address, Meeting meeting, std::uint64_t value) { \
        T* const word = static_cast<T*>(address);                                                      \
        meet(word, meeting, atomics::change_by(#function, of<T>(value)));                              \
        return bits(atomics::seen(atomics::function(word, of<T>(value))));                             \
    }
EMULATOR_PTX_ATOMIC(add, add)
EMULATOR_PTX_ATOMIC(and, bit_and)
EMULATOR_PTX_ATOMIC(or, bit_or)
EMULATOR_PTX_ATOMIC(xor, bit_xor)
EMULATOR_PTX_ATOMIC(min, minimum)
EMULATOR_PTX_ATOMIC(max, maximum)
EMULATOR_PTX_ATOMIC(inc, increment)
EMULATOR_PTX_ATOMIC(dec, decrement)
EMULATOR_PTX_ATOMIC(exch, exchange)
#undef EMULATOR_PTX_ATOMIC

template <class T>
EMULATOR_INLINE void atomic_add_vector(void* address, Meeting meeting, std::initializer_list<std::uint64_t> values) {
    T* word = static_cast<T*>(address);
    for (const std::uint64_t value : values) atomic_add<T>(word++, meeting, value);
}
template <class T>
EMULATOR_INLINE std::uint64_t atomic_cas(void* address, Meeting meeting, std::uint64_t compare, std::uint64_t value) {
    T* const word = static_cast<T*>(address);
    meet(word, meeting, AtomicChange::compares_and_exchanges);
    return bits(atomics::seen(atomics::compare_and_swap(word, of<T>(compare), of<T>(value))));
}

/// cp.async.mbarrier.arrive: the thread's copies so far arrive when they have been made, which is at once here. Not
/// `counted`: that arrival is one more than the barrier expects.
EMULATOR_INLINE void arrive_behind_copies(const void* barrier, bool counted) {
    check_copies_are_group();
    check_copies_are_awaited(0);
    if (counted)
        mbarrier::arrive(barrier, 1, 0, false, true);
    else
        check_barrier(mbarrier::at(barrier), sizeof(std::uint64_t), BarrierUse::arrive);
}

// --------------------------------------------------------------------------------------------------------------- warps

/// c says where a lane's segment ends: its mask in bits 8 to 12, and a bound in bits 0 to 4.
struct Segment {
    unsigned lane, first, last, mask;

    EMULATOR_INLINE explicit Segment(std::uint64_t c)
        : lane(lane_index()),
          first(lane & static_cast<unsigned>(c >> 8 & 31)),
          last(first | (static_cast<unsigned>(c & 31) & ~static_cast<unsigned>(c >> 8 & 31))),
          mask(static_cast<unsigned>(c >> 8 & 31)) {}
};
#define EMULATOR_PTX_SHUFFLE(name, operation, source_lane, condition)                                                  \
    EMULATOR_INLINE std::uint64_t shuffle_##name##_found(std::uint64_t b, std::uint64_t c) {                           \
        const Segment segment(c);                                                                                      \
        const int lane = static_cast<int>(segment.lane), delta = static_cast<int>(b & 31);                             \
        const int source = source_lane, last = static_cast<int>(segment.last);                                         \
        static_cast<void>(lane);                                                                                       \
        return (condition) ? 1 : 0;                                                                                    \
    }                                                                                                                  \
    EMULATOR_INLINE std::uint64_t shuffle_##name(std::uint64_t a, std::uint64_t b, std::uint64_t c,                    \
                                                 std::uint64_t lanes) {                                                \
        const Segment segment(c);                                                                                      \
        const int lane = static_cast<int>(segment.lane), delta = static_cast<int>(b & 31);                             \
        const bool found = shuffle_##name##_found(b, c) != 0;                                                          \
        return static_cast<u32>(warp_operation(WarpOperation::operation, static_cast<u32>(lanes), static_cast<u32>(a), \
                                               static_cast<unsigned>(found ? source_lane : lane)));                    \
    }
EMULATOR_PTX_SHUFFLE(idx, shuffle, static_cast<int>(segment.first | (static_cast<unsigned>(delta) & ~segment.mask)),
                     source <= last)
EMULATOR_PTX_SHUFFLE(up, shuffle_up, lane - delta, source >= last)
EMULATOR_PTX_SHUFFLE(down, shuffle_down, lane + delta, source <= last)
EMULATOR_PTX_SHUFFLE(bfly, shuffle_xor, lane ^ delta, source <= last)
#undef EMULATOR_PTX_SHUFFLE

EMULATOR_INLINE std::uint64_t vote_all(bool predicate, std::uint64_t lanes) {
    return static_cast<u32>(__all_sync(of<u32>(lanes), predicate));
}
EMULATOR_INLINE std::uint64_t vote_any(bool predicate, std::uint64_t lanes) {
    return static_cast<u32>(__any_sync(of<u32>(lanes), predicate));
}
EMULATOR_INLINE std::uint64_t vote_uni(bool predicate, std::uint64_t lanes) {
    const std::uint64_t some = vote_any(predicate, lanes);
    return vote_all(predicate, lanes) == some ? 1 : 0;
}
EMULATOR_INLINE std::uint64_t vote_ballot(bool predicate, std::uint64_t lanes) {
    return __ballot_sync(of<u32>(lanes), predicate);
}
template <class T>
EMULATOR_INLINE std::uint64_t match_any(std::uint64_t a, std::uint64_t lanes) {
    return __match_any_sync(of<u32>(lanes), of<T>(a));
}
template <class T>
EMULATOR_INLINE std::uint64_t match_all(std::uint64_t a, std::uint64_t lanes) {
    int all;
    return __match_all_sync(of<u32>(lanes), of<T>(a), &all);
}
template <class T>
EMULATOR_INLINE std::uint64_t redux_add(std::uint64_t a, std::uint64_t lanes) {
    return bits(__reduce_add_sync(of<u32>(lanes), of<T>(a)));
}
template <class T>
EMULATOR_INLINE std::uint64_t redux_min(std::uint64_t a, std::uint64_t lanes) {
    return bits(__reduce_min_sync(of<u32>(lanes), of<T>(a)));
}
template <class T>
EMULATOR_INLINE std::uint64_t redux_max(std::uint64_t a, std::uint64_t lanes) {
    return bits(__reduce_max_sync(of<u32>(lanes), of<T>(a)));
}
EMULATOR_INLINE std::uint64_t redux_and(std::uint64_t a, std::uint64_t lanes) {
    return __reduce_and_sync(of<u32>(lanes), of<u32>(a));
}
EMULATOR_INLINE std::uint64_t redux_or(std::uint64_t a, std::uint64_t lanes) {
    return __reduce_or_sync(of<u32>(lanes), of<u32>(a));
}
EMULATOR_INLINE std::uint64_t redux_xor(std::uint64_t a, std::uint64_t lanes) {
    return __reduce_xor_sync(of<u32>(lanes), of<u32>(a));
}
/// The lowest of the lanes that come.
EMULATOR_INLINE std::uint64_t elect(std::uint64_t lanes) {
    return static_cast<unsigned>(__builtin_ctz(__ballot_sync(of<u32>(lanes), 1)));
}
EMULATOR_INLINE std::uint64_t activemask() {
    return __activemask();
}
EMULATOR_INLINE void warp_sync(std::uint64_t lanes) {
    __syncwarp(of<u32>(lanes));
}

}  // namespace emulator::ptx
