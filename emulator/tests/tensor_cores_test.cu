// The tensor cores' mma: each shape against a plain triple loop, its registers filled as the PTX ISA has it. Floats
// also against a model of compute capability 9.0, in doubles.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "device.h"
#include "mma_data.h"
#include "testing.h"

namespace {

using namespace mma_data;

double value(Type type, std::uint64_t bits) {
    if (type == Type::s4 || type == Type::s8 || type == Type::s32) {
        const unsigned shift = 64 - bits_of(type);
        return static_cast<double>(static_cast<std::int64_t>(bits << shift) >> shift);
    }
    if (!is_float(type)) return static_cast<double>(bits);
    const auto [mantissa, exponent, unused] = format_of(type);
    const std::uint64_t field = bits >> unused >> mantissa & ((1u << exponent) - 1);
    const std::uint64_t fraction = bits >> unused & ((std::uint64_t{1} << mantissa) - 1);
    const double sign = (bits & format_of(type).sign()) != 0 ? -1 : 1;
    if (field == (1u << exponent) - 1)
        return sign *
               (fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity());
    const std::uint64_t significand = fraction | std::uint64_t{field != 0} << mantissa;
    const int power = std::max(static_cast<int>(field), 1) - format_of(type).bias();
    return sign * std::ldexp(static_cast<double>(significand), power - static_cast<int>(mantissa));
}

// The power of two of a number's leading bit; subnormal ones have the smallest.
int power_of(Type type, double x) {
    return std::max(std::ilogb(x), 1 - format_of(type).bias());
}

// The bits of a double that the type can hold.
std::uint64_t bits_of_exact(Type type, double x) {
    const Format format = format_of(type);
    const std::uint64_t sign = std::signbit(x) ? format.sign() : 0;
    if (std::isnan(x)) return format.infinity() | ((std::uint64_t{1} << format.mantissa) - 1);
    if (std::isinf(x)) return sign | format.infinity();
    if (x == 0) return sign;
    const int power = power_of(type, x);
    const auto significand =
        static_cast<std::uint64_t>(std::ldexp(std::abs(x), static_cast<int>(format.mantissa) - power));
    return sign | ((static_cast<std::uint64_t>(power + format.bias() - 1) << format.mantissa) + significand);
}

// f32 is cut off, f16 rounded to nearest; beyond the largest number there is infinity.
std::uint64_t rounded(Type type, double x) {
    if (x == 0 || !std::isfinite(x)) return bits_of_exact(type, x);
    const int mantissa = static_cast<int>(format_of(type).mantissa), last = power_of(type, x) - mantissa;
    const double scaled = std::ldexp(x, -last);
    const double kept = std::ldexp(type == Type::f16 ? std::nearbyint(scaled) : std::trunc(scaled), last);
    const bool overflows = std::abs(kept) >= std::ldexp(1, format_of(type).bias() + 1);
    return bits_of_exact(type, overflows ? std::copysign(std::numeric_limits<double>::infinity(), x) : kept);
}

// One fused sum: all addends as multiples of 2^-25 of the largest one's power of two, or of 2^-133, cut off. Never -0.
template <class Mma>
std::uint64_t float_sum(const Matrices& matrices, unsigned i, unsigned j) {
    const auto [m, n, k] = Mma::shape;
    const double c = value(Mma::sum, matrices.c[i * n + j]);
    std::vector<double> addends{c};
    int largest = c != 0 && std::isfinite(c) ? power_of(Mma::sum, c) : -10000;
    double plain = c;
    for (unsigned l = 0; l < k; ++l) {
        const double a = value(Mma::a, matrices.a[i * k + l]), b = value(Mma::b, matrices.b[l * n + j]);
        plain += a * b;
        if (a == 0 || b == 0 || !std::isfinite(a * b)) continue;
        addends.push_back(a * b);
        largest = std::max(largest, power_of(Mma::a, a) + power_of(Mma::b, b));
    }
    if (!std::isfinite(plain)) return bits_of_exact(Mma::sum, plain);
    largest = std::max(largest, -133);
    double total = 0;
    for (const double addend : addends) total += std::trunc(std::ldexp(addend, 25 - largest));
    const std::uint64_t sum = rounded(Mma::sum, std::ldexp(total, largest - 25));
    return sum == rounded(Mma::sum, -0.0) ? 0 : sum;
}

// Of numbers whose sum no rounding touches.
template <class Mma>
std::uint64_t exact_sum(const Matrices& matrices, unsigned i, unsigned j) {
    const auto [m, n, k] = Mma::shape;
    double sum = value(Mma::sum, matrices.c[i * n + j]);
    for (unsigned l = 0; l < k; ++l) sum += value(Mma::a, matrices.a[i * k + l]) * value(Mma::b, matrices.b[l * n + j]);
    return bits_of_exact(Mma::sum, sum);
}

template <class Mma>
std::uint64_t double_sum(const Matrices& matrices, unsigned i, unsigned j) {
    const auto [m, n, k] = Mma::shape;
    double sum = value(Type::f64, matrices.c[i * n + j]);
    for (unsigned l = 0; l < k; ++l)
        sum = std::fma(value(Type::f64, matrices.a[i * k + l]), value(Type::f64, matrices.b[l * n + j]), sum);
    std::uint64_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    return bits;
}

template <class Mma>
std::uint64_t whole_sum(const Matrices& matrices, unsigned i, unsigned j) {
    const auto [m, n, k] = Mma::shape;
    const std::string name = Mma::name;
    const bool both = name.find(".and.") != std::string::npos, saturates = name.find(".satfinite") != std::string::npos;
    auto sum = static_cast<std::int64_t>(value(Type::s32, matrices.c[i * n + j]));
    for (unsigned l = 0; l < k; ++l) {
        const std::uint64_t a = matrices.a[i * k + l], b = matrices.b[l * n + j];
        if (Mma::a == Type::b1)
            sum += static_cast<std::int64_t>(both ? a & b : a ^ b);
        else
            sum += static_cast<std::int64_t>(value(Mma::a, a) * value(Mma::b, b));
    }
    if (saturates) sum = std::clamp<std::int64_t>(sum, -2147483648, 2147483647);
    return static_cast<std::uint32_t>(sum);
}

bool is_nan(std::uint64_t bits_of_double) {
    return std::isnan(value(Type::f64, bits_of_double));
}

/// Where D of random matrices is not what sum(matrices, row, column) says; "" if it is. The NaN that doubles give is
/// not told apart from others: its bits are the processor's.
template <class Mma, class Sum>
std::string first_difference(Kind kind, Sum sum) {
    Random random(test_seed() + static_cast<unsigned>(kind));
    std::vector<Matrices> products(20);
    for (Matrices& each : products) each = random_matrices<Mma>(random, kind);
    const auto results = mma_data::on_device<Mma>(products);
    for (std::size_t p = 0; p < products.size(); ++p)
        for (unsigned i = 0; i < Mma::shape.m; ++i)
            for (unsigned j = 0; j < Mma::shape.n; ++j) {
                const std::uint64_t actual = results[p][i * Mma::shape.n + j], expected = sum(products[p], i, j);
                if (actual == expected || (Mma::sum == Type::f64 && is_nan(actual) && is_nan(expected))) continue;
                char text[80];
                std::snprintf(text, sizeof text, "product %zu, row %u, column %u: expected %llx, got %llx", p, i, j,
                              static_cast<unsigned long long>(expected), static_cast<unsigned long long>(actual));
                return std::string(Mma::name) + ", " + kind_names[static_cast<unsigned>(kind)] + ", " + text;
            }
    return "";
}

/// Whether this device adds as the model does.
bool is_hopper() {
    int major = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major == 9;
}

}  // namespace

TEST_CASE("mma multiplies whole numbers exactly, of every type and shape", "[emulator][tensor_cores]") {
    for_each_instruction([](auto instruction) {
        using Mma = decltype(instruction);
        if constexpr (is_float(Mma::a))
            REQUIRE(first_difference<Mma>(Kind::small_integers, exact_sum<Mma>) == "");
        else
            for (const Kind kind : {Kind::unit, Kind::tiny, Kind::huge})
                REQUIRE(first_difference<Mma>(kind, whole_sum<Mma>) == "");
    });
}

TEST_CASE("mma of doubles is a chain of fused operations", "[emulator][tensor_cores]") {
    for_each_instruction([](auto instruction) {
        using Mma = decltype(instruction);
        if constexpr (Mma::a == Type::f64)
            for (unsigned kind = 0; kind < static_cast<unsigned>(Kind::count); ++kind)
                REQUIRE(first_difference<Mma>(static_cast<Kind>(kind), double_sum<Mma>) == "");
    });
}

TEST_CASE("mma of floats adds as compute capability 9.0 does", "[emulator][tensor_cores]") {
    if (!is_hopper()) {
        WARN("skipped: the sums are those of compute capability 9.0, and this GPU's is another");
        return;
    }
    for_each_instruction([](auto instruction) {
        using Mma = decltype(instruction);
        if constexpr (is_float(Mma::a) && Mma::a != Type::f64)
            for (unsigned kind = 0; kind < static_cast<unsigned>(Kind::count); ++kind)
                REQUIRE(first_difference<Mma>(static_cast<Kind>(kind), float_sum<Mma>) == "");
    });
}
