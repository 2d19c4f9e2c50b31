// half and bfloat16: conversions, arithmetic that is rounded once, comparisons, pairs, atomics.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "device.h"
#include "testing.h"

namespace {

// What the tests need to know of a format, and its functions by one name.
struct Half {
    using T = __half;
    using T2 = __half2;
    static constexpr int mantissa = 10, least = -14;
    static __host__ __device__ T from_bits(unsigned short bits) { return __ushort_as_half(bits); }
    static __host__ __device__ unsigned short bits(T x) { return __half_as_ushort(x); }
    static __device__ float to_float(T x) { return __half2float(x); }
    static __device__ T convert(float x, int mode) {
        return mode == 0   ? __float2half(x)
               : mode == 1 ? __float2half_rz(x)
               : mode == 2 ? __float2half_ru(x)
                           : __float2half_rd(x);
    }
    static __device__ T of_double(double x) { return __double2half(x); }
    static __device__ T of_int(int x) { return __int2half_rn(x); }
    static __device__ int to_int(T x) { return __half2int_rn(x); }
    static __device__ int to_int_down(T x) { return __half2int_rd(x); }
    static __device__ T2 pair(T x, T y) { return __halves2half2(x, y); }
    static __device__ T high(T2 x) { return __high2half(x); }
};

struct Bfloat16 {
    using T = __nv_bfloat16;
    using T2 = __nv_bfloat162;
    static constexpr int mantissa = 7, least = -126;
    static __host__ __device__ T from_bits(unsigned short bits) { return __ushort_as_bfloat16(bits); }
    static __host__ __device__ unsigned short bits(T x) { return __bfloat16_as_ushort(x); }
    static __device__ float to_float(T x) { return __bfloat162float(x); }
    static __device__ T convert(float x, int mode) {
        return mode == 0   ? __float2bfloat16(x)
               : mode == 1 ? __float2bfloat16_rz(x)
               : mode == 2 ? __float2bfloat16_ru(x)
                           : __float2bfloat16_rd(x);
    }
    static __device__ T of_double(double x) { return __double2bfloat16(x); }
    static __device__ T of_int(int x) { return __int2bfloat16_rn(x); }
    static __device__ int to_int(T x) { return __bfloat162int_rn(x); }
    static __device__ int to_int_down(T x) { return __bfloat162int_rd(x); }
    static __device__ T2 pair(T x, T y) { return __halves2bfloat162(x, y); }
    static __device__ T high(T2 x) { return __high2bfloat16(x); }
};

// The value of a bit pattern, from the definition of the format.
template <class Format>
double value(unsigned short bits) {
    const int top = bits >> Format::mantissa & (0x7fff >> Format::mantissa);
    const int fraction = bits & ((1 << Format::mantissa) - 1);
    double size;
    if (top == 0x7fff >> Format::mantissa)
        size = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    else if (top == 0)
        size = std::ldexp(fraction, Format::least - Format::mantissa);
    else
        size = std::ldexp(fraction + (1 << Format::mantissa), Format::least - Format::mantissa + top - 1);
    return bits >> 15 ? -size : size;
}

// The pattern of the value x + rest, rest being too small for x to show: found by halving among the finite ones.
// Modes: 0 to nearest, ties to even; 1 to zero; 2 up; 3 down.
template <class Format>
unsigned short rounded(double x, double rest = 0, int mode = 0) {
    const unsigned short infinity = 0x7fff & ~((1 << Format::mantissa) - 1);
    if (x != x) return 0x7fff;
    const bool negative = std::signbit(x);
    const unsigned short sign = negative ? 0x8000 : 0;
    const double size = std::abs(x), more = negative ? -rest : rest;
    if (std::isinf(x)) return sign | infinity;
    unsigned low = 0, high = infinity;  // value(low) <= size + more < value(high), infinity one step above the largest
    const double step = value<Format>(infinity - 1) - value<Format>(infinity - 2);
    const auto at = [&](unsigned b) { return b == infinity ? value<Format>(infinity - 1) + step : value<Format>(b); };
    const auto reaches = [&](double bound) { return size > bound || (size == bound && more >= 0); };
    if (reaches(at(infinity))) {
        low = infinity - 1;
    } else {
        while (high - low > 1) {
            const unsigned middle = (low + high) / 2;
            (reaches(at(middle)) ? low : high) = middle;
        }
    }
    if (size == at(low) && more == 0) return static_cast<unsigned short>(sign | low);
    const double halfway = at(low) + (at(low + 1) - at(low)) / 2;
    const bool above = size > halfway || (size == halfway && more > 0), tie = size == halfway && more == 0;
    const bool away = mode == 0 ? above || (tie && low % 2) : mode == 1 ? false : (mode == 2) != negative;
    return static_cast<unsigned short>(sign | (low + away));
}

template <class Format, class F, class... X>
__global__ void map_halves(F, unsigned short* out, unsigned n, const X*... x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = Format::bits(F::template apply<Format>(x[i]...));
}

template <class Format, class F, class... X>
std::vector<unsigned short> on_device(const std::vector<X>&... x) {
    const std::size_t n = std::min({x.size()...});
    auto out = poisoned<unsigned short>(n);
    const auto launch = [&](auto&&... buffers) {
        map_halves<Format><<<static_cast<unsigned>(n + 255) / 256, 256>>>(F{}, out.data(), static_cast<unsigned>(n),
                                                                          buffers.data()...);
    };
    launch(DeviceBuffer<X>::from_host(x)...);
    CUDA_CHECK_LAUNCH();
    return out.to_host();
}

std::vector<unsigned short> all_patterns() {
    std::vector<unsigned short> bits(65536);
    for (unsigned i = 0; i < 65536; ++i) bits[i] = static_cast<unsigned short>(i);
    return bits;
}

// Halfway between two neighbours, and a little to each side; and random floats of all kinds.
template <class Format>
std::vector<float> floats_to_round() {
    std::vector<float> values;
    for (unsigned i = 0; i < 0x7fff; i += 7) {
        const double a = value<Format>(static_cast<unsigned short>(i)),
                     b = value<Format>(static_cast<unsigned short>(i + 1));
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        const float middle = static_cast<float>((a + b) / 2);
        for (const float x :
             {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e38f), static_cast<float>(a)}) {
            values.push_back(x);
            values.push_back(-x);
        }
    }
    for (const std::uint32_t bits : random_values<std::uint32_t>(20'003)) {
        float x;
        std::memcpy(&x, &bits, sizeof x);
        values.push_back(x);
    }
    const float inf = std::numeric_limits<float>::infinity();
    values.insert(values.end(),
                  {0.0f, -0.0f, inf, -inf, 65504.0f, 65519.99f, 65520.0f, -65520.0f, 1e38f, -1e38f, 1e-45f, -1e-45f,
                   std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()});
    return values;
}

template <int mode>
struct Convert {
    template <class Format>
    static __device__ auto apply(float x) {
        return Format::convert(x, mode);
    }
};
struct ThereAndBack {
    template <class Format>
    static __device__ auto apply(unsigned short bits) {
        return Format::convert(Format::to_float(Format::from_bits(bits)), 0);
    }
};
struct OfDouble {
    template <class Format>
    static __device__ auto apply(double x) {
        return Format::of_double(x);
    }
};
struct OfInt {
    template <class Format>
    static __device__ auto apply(int x) {
        return Format::of_int(x);
    }
};

template <class Format>
__global__ void to_floats(const unsigned short* bits, float* floats, int* nearest, int* down) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const auto x = Format::from_bits(bits[i]);
    floats[i] = Format::to_float(x);
    nearest[i] = Format::to_int(x);
    down[i] = Format::to_int_down(x);
}

void require_bits(const std::vector<unsigned short>& actual, const std::vector<unsigned short>& expected) {
    REQUIRE_SAME(actual, expected);
}

}  // namespace

TEMPLATE_TEST_CASE("every 16-bit number becomes its float, and comes back", "[half]", Half, Bfloat16) {
    const auto bits = all_patterns();
    auto floats = poisoned<float>(65536);
    auto nearest = poisoned<int>(65536), down = poisoned<int>(65536);
    to_floats<TestType><<<256, 256>>>(DeviceBuffer<unsigned short>::from_host(bits).data(), floats.data(),
                                      nearest.data(), down.data());
    CUDA_CHECK_LAUNCH();
    const auto f = floats.to_host();
    const auto n = nearest.to_host(), d = down.to_host();
    std::vector<unsigned short> expected(bits);
    const auto whole = [](double x) { return static_cast<int>(std::min(std::max(x, -2147483648.0), 2147483647.0)); };
    for (unsigned i = 0; i < 65536; ++i) {
        const double v = value<TestType>(bits[i]);
        CAPTURE(i, v, f[i], n[i], d[i]);
        if (v != v) {
            expected[i] = 0x7fff;
            if (f[i] == f[i] || n[i] != 0) FAIL("a NaN");
        } else if (f[i] != v || std::signbit(f[i]) != std::signbit(v) || n[i] != whole(std::nearbyint(v)) ||
                   d[i] != whole(std::floor(v))) {
            FAIL("wrong");
        }
    }
    require_bits((on_device<TestType, ThereAndBack>(bits)), expected);
}

TEMPLATE_TEST_CASE("floats are rounded to 16 bits in every mode", "[half]", Half, Bfloat16) {
    const auto floats = floats_to_round<TestType>();
    const auto expect = [&](int mode) {
        std::vector<unsigned short> bits;
        for (const float x : floats) bits.push_back(rounded<TestType>(x, 0, mode));
        return bits;
    };
    require_bits((on_device<TestType, Convert<0>>(floats)), expect(0));
    require_bits((on_device<TestType, Convert<1>>(floats)), expect(1));
    require_bits((on_device<TestType, Convert<2>>(floats)), expect(2));
    require_bits((on_device<TestType, Convert<3>>(floats)), expect(3));

    // A double is rounded once, not by way of float.
    std::vector<double> doubles(floats.begin(), floats.end());
    for (std::size_t i = 0; i < floats.size(); i += 3)
        if (std::isfinite(doubles[i])) doubles[i] *= 1 + 1e-12;
    for (double& x : doubles)
        if (std::isnan(x)) x = 0;  // A device keeps part of a double's NaN.
    std::vector<unsigned short> bits;
    for (const double x : doubles) bits.push_back(rounded<TestType>(x));
    require_bits((on_device<TestType, OfDouble>(doubles)), bits);

    auto integers = random_values<int>(5'003);
    for (std::size_t i = 0; i < integers.size(); ++i) integers[i] >>= i % 31;
    bits.clear();
    for (const int x : integers) bits.push_back(rounded<TestType>(x));
    require_bits((on_device<TestType, OfInt>(integers)), bits);
}

// ---------------------------------------------------------------------------------------------------------- arithmetic

namespace {

#define HALF_FUNCTION(name, expression, ...)        \
    struct name {                                   \
        template <class Format>                     \
        static __device__ auto apply(__VA_ARGS__) { \
            return expression;                      \
        }                                           \
    };
#define BITS Format::from_bits
HALF_FUNCTION(Sum, BITS(a) + BITS(b), unsigned short a, unsigned short b)
HALF_FUNCTION(Difference, __hsub(BITS(a), BITS(b)), unsigned short a, unsigned short b)
HALF_FUNCTION(Product, BITS(a) * BITS(b), unsigned short a, unsigned short b)
HALF_FUNCTION(PairSum, Format::high(__hadd2(Format::pair(BITS(b), BITS(a)), Format::pair(BITS(a), BITS(b)))),
              unsigned short a, unsigned short b)
HALF_FUNCTION(Fused, __hfma(BITS(a), BITS(b), BITS(c)), unsigned short a, unsigned short b, unsigned short c)
HALF_FUNCTION(Smaller, __hmin(BITS(a), BITS(b)), unsigned short a, unsigned short b)
HALF_FUNCTION(Larger, __hmax(BITS(a), BITS(b)), unsigned short a, unsigned short b)
HALF_FUNCTION(Negative, -BITS(a), unsigned short a)
HALF_FUNCTION(Absolute, __habs(BITS(a)), unsigned short a)
HALF_FUNCTION(Root, hsqrt(BITS(a)), unsigned short a)
HALF_FUNCTION(Whole, hrint(BITS(a)), unsigned short a)
HALF_FUNCTION(Comparisons,
              BITS(static_cast<unsigned short>(
                  __heq(BITS(a), BITS(b)) | __hne(BITS(a), BITS(b)) << 1 | __hlt(BITS(a), BITS(b)) << 2 |
                  __hle(BITS(a), BITS(b)) << 3 | __hgt(BITS(a), BITS(b)) << 4 | __hge(BITS(a), BITS(b)) << 5 |
                  (BITS(a) == BITS(b)) << 6 | (BITS(a) != BITS(b)) << 7 | (BITS(a) < BITS(b)) << 8 |
                  __hequ(BITS(a), BITS(b)) << 9 | __hneu(BITS(a), BITS(b)) << 10 | __hltu(BITS(a), BITS(b)) << 11 |
                  __hisnan(BITS(a)) << 12 |
                  (__heq2_mask(Format::pair(BITS(a), BITS(b)), Format::pair(BITS(b), BITS(b))) & 1) << 13)),
              unsigned short a, unsigned short b)
#undef BITS

template <class Format>
double lost_in(double a, double b) {  // by a + b
    const double sum = a + b, part = sum - a;
    return (a - (sum - part)) + (b - part);
}

}  // namespace

TEMPLATE_TEST_CASE("arithmetic of 16-bit numbers is rounded once", "[half]", Half, Bfloat16) {
    // Random patterns; and pairs of like size, where sums and differences have something to round.
    auto a = random_values<unsigned short>(100'003), b = random_values<unsigned short>(a.size());
    const auto c = random_values<unsigned short>(a.size());
    for (std::size_t i = 0; i < a.size(); i += 2) b[i] = static_cast<unsigned short>((a[i] ^ (b[i] & 0x8fff)));
    const auto expect = [&](auto f) {
        std::vector<unsigned short> bits(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) bits[i] = f(value<TestType>(a[i]), value<TestType>(b[i]), i);
        return bits;
    };
    const auto sum = [](double x, double y) {
        return rounded<TestType>(x + y, std::isfinite(x + y) ? lost_in<TestType>(x, y) : 0);
    };
    require_bits((on_device<TestType, Sum>(a, b)), expect([&](double x, double y, auto) { return sum(x, y); }));
    require_bits((on_device<TestType, PairSum>(a, b)), expect([&](double x, double y, auto) { return sum(x, y); }));
    require_bits((on_device<TestType, Difference>(a, b)), expect([&](double x, double y, auto) { return sum(x, -y); }));
    require_bits((on_device<TestType, Product>(a, b)),
                 expect([](double x, double y, auto) { return rounded<TestType>(x * y); }));
    require_bits((on_device<TestType, Fused>(a, b, c)),
                 expect([&](double x, double y, std::size_t i) { return sum(x * y, value<TestType>(c[i])); }));
    require_bits((on_device<TestType, Root>(a)),
                 expect([](double x, double, auto) { return rounded<TestType>(std::sqrt(x)); }));
    require_bits((on_device<TestType, Whole>(a)),
                 expect([](double x, double, auto) { return rounded<TestType>(std::nearbyint(x)); }));
}

TEMPLATE_TEST_CASE("signs, comparisons, min and max of 16-bit numbers", "[half]", Half, Bfloat16) {
    auto a = random_values<unsigned short>(50'003), b = random_values<unsigned short>(a.size());
    for (std::size_t i = 0; i < a.size(); i += 5) b[i] = a[i];
    a[1] = 0x0000, b[1] = 0x8000, a[2] = 0x8000, b[2] = 0x0000;
    std::vector<unsigned short> numbers(a);  // the sign of a NaN is left open
    for (unsigned short& bits : numbers)
        if (std::isnan(value<TestType>(bits))) bits = 0x1234;
    std::vector<unsigned short> negative, absolute, smaller, larger, comparisons;
    for (std::size_t i = 0; i < a.size(); ++i) {
        negative.push_back(numbers[i] ^ 0x8000);
        absolute.push_back(numbers[i] & 0x7fff);
        const double x = value<TestType>(a[i]), y = value<TestType>(b[i]);
        const bool nan_x = x != x, nan_y = y != y, less = x < y || (x == y && std::signbit(x));
        smaller.push_back(nan_x ? (nan_y ? 0x7fff : b[i]) : nan_y || less ? a[i] : b[i]);
        larger.push_back(nan_x ? (nan_y ? 0x7fff : b[i]) : nan_y || !less ? a[i] : b[i]);
        const bool unordered = nan_x || nan_y;
        comparisons.push_back(static_cast<unsigned short>(
            (x == y) | (!unordered && x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5 |
            (x == y) << 6 | (x != y) << 7 | (x < y) << 8 | (unordered || x == y) << 9 | (unordered || x != y) << 10 |
            (unordered || x < y) << 11 | nan_x << 12 | (x == y) << 13));
    }
    require_bits((on_device<TestType, Negative>(numbers)), negative);
    require_bits((on_device<TestType, Absolute>(numbers)), absolute);
    require_bits((on_device<TestType, Smaller>(a, b)), smaller);
    require_bits((on_device<TestType, Larger>(a, b)), larger);
    require_bits((on_device<TestType, Comparisons>(a, b)), comparisons);
}

// -------------------------------------------------------------------------------------------------- functions, atomics

namespace {

HALF_FUNCTION(Exponential, hexp(Format::from_bits(a)), unsigned short a)
HALF_FUNCTION(Logarithm, hlog(Format::from_bits(a)), unsigned short a)
HALF_FUNCTION(Quotient, Format::from_bits(a) / Format::from_bits(b), unsigned short a, unsigned short b)

template <class T, class T2>
__global__ void count(T* sum, T2* sums) {
    atomicAdd(sum, T(1.0f));
    atomicAdd(sums, T2(T(1.0f), T(2.0f)));
}

template <class Format>
void require_close(const std::vector<unsigned short>& actual, const std::vector<double>& expected, int steps) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const unsigned short right = rounded<Format>(expected[i]);
        if ((right & 0x7fff) == 0x7fff && std::isnan(value<Format>(actual[i]))) continue;
        CAPTURE(i, expected[i], value<Format>(actual[i]));
        REQUIRE(std::abs(actual[i] - right) <= steps);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("functions of 16-bit numbers are right within two steps", "[half]", Half, Bfloat16) {
    std::vector<unsigned short> a, b;
    for (unsigned i = 0; i < 2'003; ++i) {
        a.push_back(rounded<TestType>(0.01 + i * 0.004));
        b.push_back(rounded<TestType>(3.1 + i * 0.01));
    }
    std::vector<double> exponentials, logarithms, quotients;
    for (std::size_t i = 0; i < a.size(); ++i) {
        exponentials.push_back(std::exp(value<TestType>(a[i])));
        logarithms.push_back(std::log(value<TestType>(b[i])));
        quotients.push_back(value<TestType>(a[i]) / value<TestType>(b[i]));
    }
    require_close<TestType>((on_device<TestType, Exponential>(a)), exponentials, 2);
    require_close<TestType>((on_device<TestType, Logarithm>(b)), logarithms, 2);
    require_close<TestType>((on_device<TestType, Quotient>(a, b)), quotients, 1);
}

TEMPLATE_TEST_CASE("atomicAdd of 16-bit numbers loses nothing", "[half][atomics]", Half, Bfloat16) {
    using T = typename TestType::T;
    using T2 = typename TestType::T2;
    const std::vector<unsigned short> zeros(4);
    auto cells = DeviceBuffer<unsigned short>::from_host(zeros);
    constexpr int n = 3 * 41;
    count<<<3, 41>>>(reinterpret_cast<T*>(cells.data()), reinterpret_cast<T2*>(cells.data() + 2));
    CUDA_CHECK_LAUNCH();
    const unsigned short once = rounded<TestType>(n), twice = rounded<TestType>(2 * n);
    REQUIRE_SAME(cells.to_host(), (std::vector<unsigned short>{once, 0, once, twice}));
}
