// Intrinsic functions: of bits and integers, with a rounding mode, conversions, loads and stores; min and max; and the
// mathematical functions that C does not have, within the errors that CUDA documents.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "device.h"
#include "testing.h"

namespace {

using ull = unsigned long long;
using ll = long long;

// A function as a type: F::apply(x...), for a kernel that applies it to arrays of the same length.
template <class F, class Result, class... X>
__global__ void map_kernel(Result* results, unsigned n, const X*... x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) results[i] = F::apply(x[i]...);
}

template <class F, class Result, class... X>
std::vector<Result> on_device(const std::vector<X>&... x) {
    const std::size_t n = std::min({x.size()...});
    auto results = poisoned<Result>(n);
    const auto launch = [&](auto&&... buffers) {
        map_kernel<F, Result, X...><<<static_cast<unsigned>(n + 127) / 128, 128>>>(
            results.data(), static_cast<unsigned>(n), buffers.data()...);
    };
    launch(DeviceBuffer<X>::from_host(x)...);
    CUDA_CHECK_LAUNCH();
    return results.to_host();
}

// All of one function's results are the same as expected(x...), bit for bit; a NaN is as good as any other.
template <class F, class Expected, class... X>
void check_exact(const char* name, Expected expected, const std::vector<X>&... x) {
    using Result = decltype(expected(x[0]...));
    const auto actual = on_device<F, Result>(x...);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const Result right = expected(x[i]...);
        if (right != right && actual[i] != actual[i]) continue;
        if (std::memcmp(&right, &actual[i], sizeof right) == 0) continue;
        CAPTURE(name, i, x[i]..., right, actual[i]);
        FAIL("wrong result");
    }
    SUCCEED();
}

#define FUNCTION(name)                         \
    struct call_##name {                       \
        template <class... X>                  \
        static __device__ auto apply(X... x) { \
            return name(x...);                 \
        }                                      \
    };
#define EXACT(name, expected, ...) check_exact<call_##name>(#name, expected, __VA_ARGS__)

// All pairs of random and of awkward values.
template <class T>
std::vector<T> awkward() {
    using Limits = std::numeric_limits<T>;
    auto values = random_values<T>(23);
    if constexpr (std::is_floating_point_v<T>) {
        const T tiny = Limits::denorm_min(), inf = Limits::infinity(), one = 1;
        values.insert(values.end(), {T(0),
                                     -T(0),
                                     one,
                                     -one,
                                     T(0.5),
                                     T(1.5),
                                     T(2.5),
                                     T(-2.5),
                                     T(3),
                                     T(10),
                                     Limits::max(),
                                     Limits::lowest(),
                                     Limits::min(),
                                     -Limits::min(),
                                     tiny,
                                     -tiny,
                                     3 * tiny,
                                     inf,
                                     -inf,
                                     Limits::quiet_NaN(),
                                     one + Limits::epsilon(),
                                     one - Limits::epsilon() / 2,
                                     Limits::epsilon() / 4,
                                     -Limits::epsilon() / 4,
                                     std::sqrt(Limits::max())});
    } else {
        values.insert(values.end(),
                      {T(0), T(1), T(2), T(3), T(31), T(32), T(33), T(255), T(0x80), T(0x7f), T(-1), T(-2),
                       Limits::max(), Limits::min(), T(Limits::max() - 1), T(Limits::max() / 2 + 1)});
        if constexpr (sizeof(T) == 4)
            values.insert(values.end(), {T(0x80808080), T(0x7f7f7f7f), T(0x80007fff), T(0x01ff00fe), T(0x00ffffff)});
    }
    return values;
}

template <class T>
struct Pairs {
    std::vector<T> a, b;
    Pairs() {
        const auto values = awkward<T>();
        for (const T x : values)
            for (const T y : values) {
                a.push_back(x);
                b.push_back(y);
            }
    }
};

}  // namespace

// ---------------------------------------------------------------------------------------------------------------- bits

namespace {
FUNCTION(__popc)
FUNCTION(__popcll)
FUNCTION(__clz)
FUNCTION(__clzll)
FUNCTION(__ffs)
FUNCTION(__ffsll)
FUNCTION(__brev)
FUNCTION(__brevll)
FUNCTION(__fns)
FUNCTION(__byte_perm)
FUNCTION(__funnelshift_l)
FUNCTION(__funnelshift_r)
FUNCTION(__funnelshift_lc)
FUNCTION(__funnelshift_rc)

// Slow and plain: bit by bit.
template <class T>
bool bit(T x, int i) {
    return static_cast<ull>(x) >> i & 1;
}
template <class T>
int lowest_bit(T x) {  // 1 for bit 0; 0 if there is none
    for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i)
        if (bit(x, i)) return i + 1;
    return 0;
}
template <class T>
int zeros_above(T x) {
    int n = 0;
    while (n < static_cast<int>(8 * sizeof(T)) && !bit(x, 8 * sizeof(T) - 1 - n)) ++n;
    return n;
}
template <class T>
int ones(T x) {
    int n = 0;
    for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i) n += bit(x, i);
    return n;
}
template <class T>
T reversed(T x) {
    T result = 0;
    for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i)
        result |= static_cast<T>(bit(x, i)) << (8 * sizeof(T) - 1 - i);
    return result;
}
unsigned shifted_pair(unsigned lo, unsigned hi, int left) {  // bits 32... of hi:lo shifted left by 0 to 64
    unsigned result = 0;
    for (int i = 0; i < 32; ++i) {
        const int from = 32 + i - left;
        if (from >= 0) result |= static_cast<unsigned>(bit(ull{hi} << 32 | lo, from)) << i;
    }
    return result;
}
}  // namespace

TEST_CASE("counting, finding and reversing bits", "[intrinsics]") {
    std::vector<unsigned> u = awkward<unsigned>();
    std::vector<ull> w = awkward<ull>();
    for (int i = 0; i < 32; ++i) u.push_back(1u << i);
    for (int i = 0; i < 64; ++i) w.push_back(1ull << i);
    const std::vector<int> s(u.begin(), u.end());
    const std::vector<ll> sw(w.begin(), w.end());
    EXACT(__popc, ones<unsigned>, u);
    EXACT(__popcll, ones<ull>, w);
    EXACT(__clz, zeros_above<int>, s);
    EXACT(__clzll, zeros_above<ll>, sw);
    EXACT(__ffs, lowest_bit<int>, s);
    EXACT(__ffsll, lowest_bit<ll>, sw);
    EXACT(__brev, reversed<unsigned>, u);
    EXACT(__brevll, reversed<ull>, w);
}

TEST_CASE("the n-th bit from a place on, up or down", "[intrinsics]") {
    const auto masks = random_values<unsigned>(5'003);
    auto bases = random_values<unsigned>(5'003);
    auto offsets = random_values<int>(5'003);
    for (unsigned& base : bases) base %= 32;
    for (int& offset : offsets) offset %= 20;
    EXACT(
        __fns,
        [](unsigned mask, unsigned base, int offset) {
            std::vector<unsigned> set;  // the bits that may be meant, the nearest first
            for (int i = 0; i < 32; ++i) {
                const int at = offset < 0 ? 31 - i : i;
                const bool is_behind = offset < 0 ? at <= static_cast<int>(base) : at >= static_cast<int>(base);
                if (is_behind && bit(mask, at)) set.push_back(static_cast<unsigned>(at));
            }
            if (offset == 0) return bit(mask, static_cast<int>(base)) ? base : ~0u;
            const auto n = static_cast<std::size_t>(std::abs(offset));
            return n <= set.size() ? set[n - 1] : ~0u;
        },
        masks, bases, offsets);
}

TEST_CASE("permuted bytes and funnel shifts", "[intrinsics]") {
    const auto x = random_values<unsigned>(5'003), y = random_values<unsigned>(5'003);
    auto s = random_values<unsigned>(5'003);
    EXACT(
        __byte_perm,
        [](unsigned x, unsigned y, unsigned s) {
            unsigned result = 0;
            for (int i = 0; i < 4; ++i) {
                const unsigned pick = s >> (4 * i) & 7;
                result |= ((pick < 4 ? x : y) >> (8 * (pick % 4)) & 255) << (8 * i);
            }
            return result;
        },
        x, y, s);
    for (unsigned i = 0; i < 70; ++i) s[i] = i;
    const auto least = [](unsigned a) { return static_cast<int>(std::min(a, 32u)); };
    EXACT(
        __funnelshift_l, [](unsigned lo, unsigned hi, unsigned n) { return shifted_pair(lo, hi, n % 32); }, x, y, s);
    EXACT(
        __funnelshift_r, [](unsigned lo, unsigned hi, unsigned n) { return shifted_pair(lo, hi, 32 - n % 32); }, x, y,
        s);
    EXACT(
        __funnelshift_lc, [=](unsigned lo, unsigned hi, unsigned n) { return shifted_pair(lo, hi, least(n)); }, x, y,
        s);
    EXACT(
        __funnelshift_rc, [=](unsigned lo, unsigned hi, unsigned n) { return shifted_pair(lo, hi, 32 - least(n)); }, x,
        y, s);
}

namespace {
FUNCTION(__float_as_int)
FUNCTION(__float_as_uint)
FUNCTION(__int_as_float)
FUNCTION(__uint_as_float)
FUNCTION(__double_as_longlong)
FUNCTION(__longlong_as_double)
FUNCTION(__double2hiint)
FUNCTION(__double2loint)
FUNCTION(__hiloint2double)

template <class To, class From>
To same_bits(From from) {
    To to;
    static_assert(sizeof to == sizeof from);
    std::memcpy(&to, &from, sizeof to);
    return to;
}
}  // namespace

TEST_CASE("the bits of a number as another type", "[intrinsics]") {
    const auto f = awkward<float>();
    const auto d = awkward<double>();
    const auto i = awkward<int>();
    const auto w = awkward<ll>();
    EXACT(__float_as_int, (same_bits<int, float>), f);
    EXACT(__float_as_uint, (same_bits<unsigned, float>), f);
    EXACT(__int_as_float, (same_bits<float, int>), i);
    EXACT(__uint_as_float, (same_bits<float, unsigned>), awkward<unsigned>());
    EXACT(__double_as_longlong, (same_bits<ll, double>), d);
    EXACT(__longlong_as_double, (same_bits<double, ll>), w);
    EXACT(
        __double2hiint, [](double x) { return static_cast<int>(same_bits<ll>(x) >> 32); }, d);
    EXACT(
        __double2loint, [](double x) { return static_cast<int>(same_bits<ll>(x)); }, d);
    const Pairs<int> p;
    EXACT(
        __hiloint2double,
        [](int hi, int lo) {
            return same_bits<double>(static_cast<ull>(static_cast<unsigned>(hi)) << 32 | static_cast<unsigned>(lo));
        },
        p.a, p.b);
}

// ------------------------------------------------------------------------------------------------- integer arithmetic

namespace {
FUNCTION(__mulhi)
FUNCTION(__umulhi)
FUNCTION(__mul64hi)
FUNCTION(__umul64hi)
FUNCTION(__mul24)
FUNCTION(__umul24)
FUNCTION(__sad)
FUNCTION(__usad)
FUNCTION(__hadd)
FUNCTION(__rhadd)
FUNCTION(__uhadd)
FUNCTION(__urhadd)
FUNCTION(__dp4a)
FUNCTION(__dp2a_lo)
FUNCTION(__dp2a_hi)

int low24(int x) {
    return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
}
template <class Lane, class T>
ll lane(T word, int i) {
    return static_cast<Lane>(word >> (8 * sizeof(Lane) * i));
}
}  // namespace

TEST_CASE("products, averages and differences of integers", "[intrinsics]") {
    const Pairs<int> s;
    const Pairs<unsigned> u;
    const Pairs<ll> sw;
    const Pairs<ull> uw;
    EXACT(
        __mulhi, [](int a, int b) { return static_cast<int>((ll{a} * b) >> 32); }, s.a, s.b);
    EXACT(
        __umulhi, [](unsigned a, unsigned b) { return static_cast<unsigned>((ull{a} * b) >> 32); }, u.a, u.b);
    EXACT(
        __mul64hi, [](ll a, ll b) { return static_cast<ll>((static_cast<__int128>(a) * b) >> 64); }, sw.a, sw.b);
    EXACT(
        __umul64hi, [](ull a, ull b) { return static_cast<ull>((static_cast<unsigned __int128>(a) * b) >> 64); }, uw.a,
        uw.b);
    EXACT(
        __mul24, [](int a, int b) { return static_cast<int>(ll{low24(a)} * low24(b)); }, s.a, s.b);
    EXACT(
        __umul24, [](unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }, u.a, u.b);
    EXACT(
        __sad, [](int a, int b, unsigned c) { return static_cast<unsigned>(std::abs(ll{a} - b)) + c; }, s.a, s.b, u.a);
    EXACT(
        __usad, [](unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }, u.a, u.b, u.b);
    EXACT(
        __hadd, [](int a, int b) { return static_cast<int>((ll{a} + b) >> 1); }, s.a, s.b);
    EXACT(
        __rhadd, [](int a, int b) { return static_cast<int>((ll{a} + b + 1) >> 1); }, s.a, s.b);
    EXACT(
        __uhadd, [](unsigned a, unsigned b) { return static_cast<unsigned>((ull{a} + b) >> 1); }, u.a, u.b);
    EXACT(
        __urhadd, [](unsigned a, unsigned b) { return static_cast<unsigned>((ull{a} + b + 1) >> 1); }, u.a, u.b);
}

TEST_CASE("dot products of small integers in a word", "[intrinsics]") {
    const Pairs<int> s;
    const Pairs<unsigned> u;
    EXACT(
        __dp4a,
        [](int a, int b, int c) {
            ll sum = c;
            for (int i = 0; i < 4; ++i) sum += lane<signed char>(a, i) * lane<signed char>(b, i);
            return static_cast<int>(sum);
        },
        s.a, s.b, s.b);
    EXACT(
        __dp4a,
        [](unsigned a, unsigned b, unsigned c) {
            ull sum = c;
            for (int i = 0; i < 4; ++i) sum += lane<unsigned char>(a, i) * lane<unsigned char>(b, i);
            return static_cast<unsigned>(sum);
        },
        u.a, u.b, u.b);
    const auto two = [](int first) {
        return [=](int a, int b, int c) {
            return static_cast<int>(c + lane<short>(a, 0) * lane<signed char>(b, first) +
                                    lane<short>(a, 1) * lane<signed char>(b, first + 1));
        };
    };
    const auto two_unsigned = [](int first) {
        return [=](unsigned a, unsigned b, unsigned c) {
            return static_cast<unsigned>(c + lane<unsigned short>(a, 0) * lane<unsigned char>(b, first) +
                                         lane<unsigned short>(a, 1) * lane<unsigned char>(b, first + 1));
        };
    };
    EXACT(__dp2a_lo, two(0), s.a, s.b, s.a);
    EXACT(__dp2a_hi, two(2), s.a, s.b, s.a);
    EXACT(__dp2a_lo, two_unsigned(0), u.a, u.b, u.a);
    EXACT(__dp2a_hi, two_unsigned(2), u.a, u.b, u.a);
}

namespace {
// clang-format indents such a list further with each line, and differently each time.
// clang-format off
#define LANE_FUNCTIONS(M) \
    M(__vadd) M(__vaddss) M(__vaddus) M(__vsub) M(__vsubss) M(__vsubus) M(__vavgs) M(__vavgu) M(__vhaddu) \
    M(__vabsdiffs) M(__vabsdiffu) M(__vmaxs) M(__vmaxu) M(__vmins) M(__vminu) M(__vsads) M(__vsadu) M(__vcmpeq) \
    M(__vcmpne) M(__vcmpges) M(__vcmpgeu) M(__vcmpgts) M(__vcmpgtu) M(__vcmples) M(__vcmpleu) M(__vcmplts) \
    M(__vcmpltu) M(__vseteq) M(__vsetne) M(__vsetges) M(__vsetgeu) M(__vsetgts) M(__vsetgtu) M(__vsetles) \
    M(__vsetleu) M(__vsetlts) M(__vsetltu)
// clang-format on
#define TWO_AND_FOUR(name) FUNCTION(name##2) FUNCTION(name##4)
LANE_FUNCTIONS(TWO_AND_FOUR)
FUNCTION(__vabs2)
FUNCTION(__vabs4)
FUNCTION(__vabsss2)
FUNCTION(__vabsss4)
FUNCTION(__vneg2)
FUNCTION(__vneg4)
FUNCTION(__vnegss2)
FUNCTION(__vnegss4)

template <class Lane>
int held(int x) {
    return std::clamp<int>(x, std::numeric_limits<Lane>::min(), std::numeric_limits<Lane>::max());
}

// f of each lane, put together again.
template <class Lane, class F>
auto per_lane(F f) {
    return [=](unsigned a, unsigned b) {
        constexpr int bits = 8 * sizeof(Lane);
        unsigned result = 0;
        for (int i = 0; i < 32 / bits; ++i) {
            const int value = f(static_cast<int>(lane<Lane>(a, i)), static_cast<int>(lane<Lane>(b, i)), held<Lane>);
            result |= (static_cast<unsigned>(value) & ((1u << bits) - 1)) << (bits * i);
        }
        return result;
    };
}
template <class Lane>
unsigned sum_of_differences(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (int i = 0; i < static_cast<int>(4 / sizeof(Lane)); ++i)
        sum += static_cast<unsigned>(std::abs(lane<Lane>(a, i) - lane<Lane>(b, i)));
    return sum;
}
}  // namespace

TEST_CASE("two or four integers in a word", "[intrinsics]") {
    const Pairs<unsigned> p;
#define LANES(name, n, Lane, expression) \
    EXACT(name##n, per_lane<Lane>([](int x, int y, auto held) -> int { return (void)held, (expression); }), p.a, p.b)
#define SIGNED(name, expression)       \
    LANES(name, 2, short, expression); \
    LANES(name, 4, signed char, expression)
#define UNSIGNED(name, expression)              \
    LANES(name, 2, unsigned short, expression); \
    LANES(name, 4, unsigned char, expression)
    UNSIGNED(__vadd, x + y);
    SIGNED(__vaddss, held(x + y));
    UNSIGNED(__vaddus, held(x + y));
    UNSIGNED(__vsub, x - y);
    SIGNED(__vsubss, held(x - y));
    UNSIGNED(__vsubus, held(x - y));
    SIGNED(__vavgs, x + y >= 0 ? (x + y + 1) / 2 : -((1 - (x + y)) / 2));  // halves are rounded away from zero
    UNSIGNED(__vavgu, (x + y + 1) / 2);
    UNSIGNED(__vhaddu, (x + y) / 2);
    SIGNED(__vabsdiffs, std::abs(x - y));
    UNSIGNED(__vabsdiffu, std::abs(x - y));
    SIGNED(__vmaxs, std::max(x, y));
    UNSIGNED(__vmaxu, std::max(x, y));
    SIGNED(__vmins, std::min(x, y));
    UNSIGNED(__vminu, std::min(x, y));
    UNSIGNED(__vcmpeq, x == y ? -1 : 0);
    UNSIGNED(__vcmpne, x != y ? -1 : 0);
    SIGNED(__vcmpges, x >= y ? -1 : 0);
    UNSIGNED(__vcmpgeu, x >= y ? -1 : 0);
    SIGNED(__vcmpgts, x > y ? -1 : 0);
    UNSIGNED(__vcmpgtu, x > y ? -1 : 0);
    SIGNED(__vcmples, x <= y ? -1 : 0);
    UNSIGNED(__vcmpleu, x <= y ? -1 : 0);
    SIGNED(__vcmplts, x < y ? -1 : 0);
    UNSIGNED(__vcmpltu, x < y ? -1 : 0);
    UNSIGNED(__vseteq, x == y);
    UNSIGNED(__vsetne, x != y);
    SIGNED(__vsetges, x >= y);
    UNSIGNED(__vsetgeu, x >= y);
    SIGNED(__vsetgts, x > y);
    UNSIGNED(__vsetgtu, x > y);
    SIGNED(__vsetles, x <= y);
    UNSIGNED(__vsetleu, x <= y);
    SIGNED(__vsetlts, x < y);
    UNSIGNED(__vsetltu, x < y);
    EXACT(__vsads2, sum_of_differences<short>, p.a, p.b);
    EXACT(__vsads4, sum_of_differences<signed char>, p.a, p.b);
    EXACT(__vsadu2, sum_of_differences<unsigned short>, p.a, p.b);
    EXACT(__vsadu4, sum_of_differences<unsigned char>, p.a, p.b);

    const auto one = [](auto f) { return [=](unsigned a) { return f(a, a); }; };
    EXACT(__vabs2, one(per_lane<short>([](int x, int, auto) -> int { return std::abs(x); })), p.a);
    EXACT(__vabs4, one(per_lane<signed char>([](int x, int, auto) -> int { return std::abs(x); })), p.a);
    EXACT(__vabsss2, one(per_lane<short>([](int x, int, auto) -> int { return std::min(std::abs(x), 32767); })), p.a);
    EXACT(__vabsss4, one(per_lane<signed char>([](int x, int, auto) -> int { return std::min(std::abs(x), 127); })),
          p.a);
    EXACT(__vneg2, one(per_lane<short>([](int x, int, auto) -> int { return -x; })), p.a);
    EXACT(__vneg4, one(per_lane<signed char>([](int x, int, auto) -> int { return -x; })), p.a);
    EXACT(__vnegss2, one(per_lane<short>([](int x, int, auto) -> int { return std::min(-x, 32767); })), p.a);
    EXACT(__vnegss4, one(per_lane<signed char>([](int x, int, auto) -> int { return std::min(-x, 127); })), p.a);
}

// ------------------------------------------------------------------------------------------------ with a rounding mode

namespace {

enum Mode { nearest, to_zero, up, down };

// The float next to `rough + rest`, rest being what is missing to the exact value. Where the exact value is 0, the sum
// of opposite numbers is -0 if rounded down.
float to_float(Mode mode, double rough, double rest, bool opposite = false) {
    const float f = static_cast<float>(rough);
    if (!std::isfinite(rough)) return f;
    if (rough == 0 && rest == 0) return opposite && mode == down ? -0.0f : f;
    const double above = std::isinf(f) ? (f > 0 ? -1 : 1) : (rough - f) + rest;  // its sign: of exact value - f
    const bool negative = rough < 0;
    if (above > 0 && (mode == up || (mode == to_zero && negative)))
        return std::nextafter(f, std::numeric_limits<float>::infinity());
    if (above < 0 && (mode == down || (mode == to_zero && !negative)))
        return std::nextafter(f, -std::numeric_limits<float>::infinity());
    return f;
}

// What a + b in double has lost (Knuth).
double lost(double a, double b) {
    const double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    return (a - a_part) + (b - b_part);
}
float exact_sum(Mode mode, double a, double b) {
    return to_float(mode, a + b, lost(a, b), std::signbit(a) != std::signbit(b));
}
float exact_product(Mode mode, double a, double b) {
    return to_float(mode, a * b, 0);
}
float exact_quotient(Mode mode, double a, double b) {
    const double q = a / b;
    return to_float(mode, q, std::isfinite(q) && std::isfinite(b) ? std::fma(-q, b, a) / b : 0);
}
float exact_root(Mode mode, double x) {
    const double q = std::sqrt(x);
    return to_float(mode, q, x > 0 && std::isfinite(q) ? std::fma(-q, q, x) / (2 * q) : 0);
}

#define ALL_MODES(name) FUNCTION(name##_rn) FUNCTION(name##_rz) FUNCTION(name##_ru) FUNCTION(name##_rd)
ALL_MODES(__fadd)
ALL_MODES(__fsub)
ALL_MODES(__fmul)
ALL_MODES(__fdiv)
ALL_MODES(__frcp)
ALL_MODES(__fsqrt)
ALL_MODES(__fmaf)
ALL_MODES(__double2float)
ALL_MODES(__int2float)
ALL_MODES(__uint2float)
ALL_MODES(__ll2float)
ALL_MODES(__dadd)
ALL_MODES(__dmul)
ALL_MODES(__ddiv)
ALL_MODES(__drcp)
ALL_MODES(__dsqrt)
ALL_MODES(__fma)
ALL_MODES(__float2int)
ALL_MODES(__float2uint)
ALL_MODES(__float2ll)
ALL_MODES(__float2ull)
ALL_MODES(__double2int)
ALL_MODES(__double2uint)
ALL_MODES(__double2ll)
ALL_MODES(__double2ull)

template <Mode mode, class F>
auto in_mode(F f) {
    return [=](auto... x) { return f(mode, x...); };
}
#define EXACT_MODES(name, f, ...)                       \
    EXACT(name##_rz, in_mode<to_zero>(f), __VA_ARGS__); \
    EXACT(name##_ru, in_mode<up>(f), __VA_ARGS__);      \
    EXACT(name##_rd, in_mode<down>(f), __VA_ARGS__)

}  // namespace

TEST_CASE("float arithmetic in every rounding mode", "[intrinsics]") {
    const Pairs<float> p;
    const auto c = random_values<float>(p.a.size());
    EXACT(
        __fadd_rn, [](float a, float b) { return a + b; }, p.a, p.b);
    EXACT(
        __fsub_rn, [](float a, float b) { return a - b; }, p.a, p.b);
    EXACT(
        __fmul_rn, [](float a, float b) { return a * b; }, p.a, p.b);
    EXACT(
        __fdiv_rn, [](float a, float b) { return a / b; }, p.a, p.b);
    EXACT(
        __frcp_rn, [](float a) { return 1 / a; }, p.a);
    EXACT(
        __fsqrt_rn, [](float a) { return std::sqrt(a); }, p.a);
    EXACT(
        __fmaf_rn, [](float a, float b, float c) { return std::fma(a, b, c); }, p.a, p.b, c);
    EXACT_MODES(__fadd, exact_sum, p.a, p.b);
    EXACT_MODES(
        __fsub, [](Mode mode, double a, double b) { return exact_sum(mode, a, -b); }, p.a, p.b);
    EXACT_MODES(__fmul, exact_product, p.a, p.b);
    EXACT_MODES(__fdiv, exact_quotient, p.a, p.b);
    EXACT_MODES(
        __frcp, [](Mode mode, double a) { return exact_quotient(mode, 1, a); }, p.a);
    EXACT_MODES(__fsqrt, exact_root, p.a);
    EXACT_MODES(
        __fmaf, [](Mode mode, double a, double b, double c) { return exact_sum(mode, a * b, c); }, p.a, p.b, c);
}

TEST_CASE("conversions to float in every rounding mode", "[intrinsics]") {
    const auto d = awkward<double>();
    const auto i = awkward<int>();
    const auto u = awkward<unsigned>();
    const auto w = awkward<ll>();
    EXACT(
        __double2float_rn, [](double x) { return static_cast<float>(x); }, d);
    EXACT(
        __int2float_rn, [](int x) { return static_cast<float>(x); }, i);
    EXACT(
        __uint2float_rn, [](unsigned x) { return static_cast<float>(x); }, u);
    EXACT(
        __ll2float_rn, [](ll x) { return static_cast<float>(x); }, w);
    const auto of_double = [](Mode mode, double x) { return to_float(mode, x, 0); };
    EXACT_MODES(__double2float, of_double, d);
    EXACT_MODES(__int2float, of_double, i);
    EXACT_MODES(__uint2float, of_double, u);
    // Two halves, each exact as a double, and their sum with what it loses.
    EXACT_MODES(
        __ll2float,
        [](Mode mode, ll x) {
            const double low = static_cast<double>(x & 0xffffffff);
            const double high = static_cast<double>(x - (x & 0xffffffff));
            return to_float(mode, high + low, lost(high, low));
        },
        w);
}

namespace {

double to_double(Mode mode, double rough, double rest) {  // rest: what is missing to the exact value
    const bool negative = rough < 0;
    if (rest > 0 && (mode == up || (mode == to_zero && negative))) return std::nextafter(rough, 1e308);
    if (rest < 0 && (mode == down || (mode == to_zero && !negative))) return std::nextafter(rough, -1e308);
    return rough;
}

}  // namespace

TEST_CASE("double arithmetic in every rounding mode", "[intrinsics]") {
    const auto a = random_values<double>(2'003), b = random_values<double>(2'003);
    const auto fa = random_values<float>(2'003), fb = random_values<float>(2'003);
    const std::vector<double> short_a(fa.begin(), fa.end()), short_b(fb.begin(), fb.end());  // exact products
    std::vector<double> positive(a);
    for (double& x : positive) x = std::abs(x);
    EXACT(
        __dadd_rn, [](double a, double b) { return a + b; }, a, b);
    EXACT(
        __fma_rn, [](double a, double b, double c) { return std::fma(a, b, c); }, a, b, a);
    EXACT_MODES(
        __dadd, [](Mode mode, double a, double b) { return to_double(mode, a + b, lost(a, b)); }, a, b);
    EXACT_MODES(
        __dmul, [](Mode mode, double a, double b) { return to_double(mode, a * b, std::fma(a, b, -(a * b))); }, a, b);
    EXACT_MODES(
        __ddiv, [](Mode mode, double a, double b) { return to_double(mode, a / b, std::fma(-(a / b), b, a) / b); }, a,
        b);
    EXACT_MODES(
        __drcp, [](Mode mode, double a) { return to_double(mode, 1 / a, std::fma(-(1 / a), a, 1) / a); }, a);
    EXACT_MODES(
        __dsqrt,
        [](Mode mode, double a) { return to_double(mode, std::sqrt(a), std::fma(-std::sqrt(a), std::sqrt(a), a)); },
        positive);
    EXACT_MODES(
        __fma, [](Mode mode, double a, double b, double c) { return to_double(mode, a * b + c, lost(a * b, c)); },
        short_a, short_b, a);
}

TEST_CASE("conversions to integers round, and stop at the ends of the range", "[intrinsics]") {
    auto f = awkward<float>();
    auto d = awkward<double>();
    for (const double x :
         {2147483646.5, 2147483647.5, -2147483648.5, 4294967295.5, 9.3e18, 1.9e19, -9.3e18, -0.5, 0.4}) {
        f.push_back(static_cast<float>(x));
        d.push_back(x);
    }
    std::erase_if(f, [](float x) { return std::isnan(x); });
    std::erase_if(d, [](double x) { return std::isnan(x); });
    const auto whole = [](Mode mode, auto x) {
        return mode == nearest   ? std::nearbyint(x)
               : mode == to_zero ? std::trunc(x)
               : mode == up      ? std::ceil(x)
                                 : std::floor(x);
    };
    const auto check = [&]<class I>(I) {
        return [=](Mode mode, auto x) {
            const auto y = whole(mode, x);
            if (y >= std::ldexp(1.0, std::numeric_limits<I>::digits)) return std::numeric_limits<I>::max();
            if (y < static_cast<double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
            return static_cast<I>(y);
        };
    };
#define CONVERSION(name, I, x)                         \
    EXACT(name##_rn, in_mode<nearest>(check(I{})), x); \
    EXACT_MODES(name, check(I{}), x)
    CONVERSION(__float2int, int, f);
    CONVERSION(__float2uint, unsigned, f);
    CONVERSION(__float2ll, ll, f);
    CONVERSION(__float2ull, ull, f);
    CONVERSION(__double2int, int, d);
    CONVERSION(__double2uint, unsigned, d);
    CONVERSION(__double2ll, ll, d);
    CONVERSION(__double2ull, ull, d);
}

// ------------------------------------------------------------------------------------- min, max and what is
// approximate

namespace {

FUNCTION(__saturatef)
FUNCTION(__ldg)
FUNCTION(min)
FUNCTION(max)
FUNCTION(rsqrtf)
FUNCTION(rcbrt)
FUNCTION(sinpi)
FUNCTION(cospi)
FUNCTION(sinpif)
FUNCTION(exp10)
FUNCTION(erfinv)
FUNCTION(erfcx)
FUNCTION(normcdf)
FUNCTION(normcdfinv)
FUNCTION(norm3d)
FUNCTION(rhypot)
FUNCTION(__expf)
FUNCTION(__fdividef)

// Within so many units in the last place of the right result, computed in a larger type.
template <class F, class T, class Expected, class... X>
void check_close(const char* name, double units, Expected expected, const std::vector<T>& first, const X&... x) {
    const auto actual = on_device<F, T>(first, x...);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const long double right = expected(static_cast<long double>(first[i]), static_cast<long double>(x[i])...);
        const T near = static_cast<T>(std::abs(right));
        const long double unit = std::nextafter(near, std::numeric_limits<T>::infinity()) - near;
        if (std::abs(actual[i] - right) <= units * unit) continue;
        CAPTURE(name, i, first[i], x[i]..., static_cast<double>(right), actual[i]);
        FAIL("too far off");
    }
    SUCCEED();
}
#define CLOSE(name, units, expected, ...) check_close<call_##name>(#name, units, expected, __VA_ARGS__)

template <class T>
std::vector<T> between(T least, T most, std::size_t n = 2'003) {
    std::vector<T> values(n);
    const auto bits = random_values<std::uint32_t>(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = least + (most - least) * static_cast<T>(bits[i] / 4294967296.0);
    return values;
}

}  // namespace

TEST_CASE("min and max take CUDA's mixes of types", "[intrinsics]") {
    const Pairs<int> s;
    const Pairs<unsigned> u;
    const Pairs<ll> sw;
    const Pairs<float> f;
    EXACT(
        min, [](int a, int b) { return a < b ? a : b; }, s.a, s.b);
    EXACT(
        max, [](int a, int b) { return a > b ? a : b; }, s.a, s.b);
    EXACT(
        min, [](int a, unsigned b) { return std::min(static_cast<unsigned>(a), b); }, s.a, u.b);
    EXACT(
        max, [](unsigned a, int b) { return std::max(a, static_cast<unsigned>(b)); }, u.a, s.b);
    EXACT(
        max, [](ll a, ll b) { return a > b ? a : b; }, sw.a, sw.b);
    std::vector<float> a, b;  // Which zero they give, C leaves open.
    for (std::size_t i = 0; i < f.a.size(); ++i)
        if (f.a[i] != 0 || f.b[i] != 0) a.push_back(f.a[i]), b.push_back(f.b[i]);
    const std::vector<double> wide(b.begin(), b.end());
    EXACT(
        min, [](float a, float b) { return std::fmin(a, b); }, a, b);
    EXACT(
        max, [](float a, float b) { return std::fmax(a, b); }, a, b);
    EXACT(
        min, [](float a, double b) { return std::fmin(static_cast<double>(a), b); }, a, wide);
}

TEST_CASE("__saturatef and division", "[intrinsics]") {
    EXACT(
        __saturatef, [](float x) { return x > 0 ? std::min(x, 1.0f) : 0.0f; }, awkward<float>());
    const std::vector<float> x = {1, 2, std::numeric_limits<float>::infinity()}, y(3, 0x1p127f);
    EXACT(
        __fdividef, [](float a, float) { return std::isinf(a) ? std::numeric_limits<float>::quiet_NaN() : 0.0f; }, x,
        y);
}

TEST_CASE("functions that C does not have, within CUDA's documented errors", "[intrinsics]") {
    constexpr long double pi = 3.14159265358979323846264338327950288L;
    const auto positive = between(1e-3, 1e3);
    const auto any = between(-20.0, 20.0);
    const auto positive_float = between(1e-3f, 1e3f);
    CLOSE(
        rsqrtf, 2, [](long double x) { return 1 / std::sqrt(x); }, positive_float);
    CLOSE(
        rcbrt, 2, [](long double x) { return 1 / std::cbrt(x); }, any);
    CLOSE(
        exp10, 2, [](long double x) { return std::pow(10.0L, x); }, any);
    CLOSE(
        norm3d, 2, [](long double x, long double y, long double z) { return std::sqrt(x * x + y * y + z * z); }, any,
        any, positive);
    CLOSE(
        rhypot, 2, [](long double x, long double y) { return 1 / std::hypot(x, y); }, any, positive);
    CLOSE(
        normcdf, 5, [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }, between(-5.0, 5.0));
    const auto sine = [=](long double x) { return std::sin(pi * std::remainder(x, 2.0L)); };
    const auto cosine = [=](long double x) { return std::cos(pi * std::remainder(x, 2.0L)); };
    CLOSE(sinpi, 2, sine, between(0.01, 0.99));
    CLOSE(cospi, 2, cosine, between(1.51, 2.49));
    CLOSE(sinpif, 1, sine, between(0.01f, 0.99f));
    const std::vector<double> quarters = {0, 0.5, 1, 1.5, 2, -0.5, -1, 1e15, 1e15 + 0.5};
    REQUIRE_SAME((on_device<call_sinpi, double>(quarters)), (std::vector<double>{0, 1, 0, -1, 0, -1, 0, 0, 1}));
    REQUIRE_SAME((on_device<call_cospi, double>(quarters)), (std::vector<double>{1, 0, -1, 0, 1, 0, -1, 1, 0}));

    // Inverse functions: there and back again.
    const auto p = between(-0.9, 0.9);
    const auto x = on_device<call_erfinv, double>(p);
    for (std::size_t i = 0; i < p.size(); ++i) REQUIRE(std::abs((std::erf(x[i])) / p[i] - 1) < 1e-14);
    const auto q = between(1e-9, 0.999);
    const auto z = on_device<call_normcdfinv, double>(q);
    for (std::size_t i = 0; i < q.size(); ++i)
        REQUIRE(std::abs((std::erfc(-z[i] / std::sqrt(2.0)) / 2) / q[i] - 1) < 1e-13);
    // 1 / (x sqrt(pi)) (1 - t + 3 t^2 - 15 t^3 + 105 t^4 ...) with t = 1 / (2 x^2); from 100 on the rest is below
    // 1e-15.
    const auto large = between(100.0, 500.0);
    const auto scaled = on_device<call_erfcx, double>(large);
    for (std::size_t i = 0; i < large.size(); ++i) {
        const double t = 1 / (2 * large[i] * large[i]);
        const double series = (1 - t + 3 * t * t - 15 * t * t * t) / (large[i] * std::sqrt(static_cast<double>(pi)));
        REQUIRE(std::abs((scaled[i]) / series - 1) < 1e-13);
    }
    // The programming guide's bound of __expf: 2 + floor(abs(1.173 * x)).
    CLOSE(
        __expf, 2 + 1.173 * 10, [](long double x) { return std::exp(x); }, between(-10.0f, 10.0f));
}

namespace {

template <class T>
__global__ void through_caches(const T* in, T* out) {
    T* const at = out + 4 * threadIdx.x;
    __stwb(at, __ldg(&in[threadIdx.x]));
    __stcg(at + 1, __ldcg(&in[threadIdx.x]));
    __stcs(at + 2, __ldcs(&in[threadIdx.x]));
    __stwt(at + 3, __ldcv(&in[threadIdx.x]));
    if (threadIdx.x == 0) __stwb(at, __ldca(&in[threadIdx.x]));
}

template <class T>
void check_caches() {
    constexpr unsigned n = 37;
    const auto bytes = random_values<unsigned char>(n * sizeof(T));
    std::vector<T> in(n);
    std::memcpy(in.data(), bytes.data(), bytes.size());
    const auto device_in = DeviceBuffer<T>::from_host(in);
    auto out = poisoned<T>(4 * n);
    through_caches<<<1, n>>>(device_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    const auto result = out.to_host();
    for (unsigned i = 0; i < 4 * n; ++i) REQUIRE(std::memcmp(&result[i], &in[i / 4], sizeof(T)) == 0);
}

}  // namespace

TEST_CASE("loads and stores with a cache hint", "[intrinsics]") {
    check_caches<char>();
    check_caches<unsigned short>();
    check_caches<int>();
    check_caches<unsigned long>();
    check_caches<long long>();
    check_caches<float>();
    check_caches<double>();
    check_caches<char2>();
    check_caches<ushort4>();
    check_caches<int2>();
    check_caches<uint4>();
    check_caches<longlong2>();
    check_caches<float4>();
    check_caches<double2>();
}
