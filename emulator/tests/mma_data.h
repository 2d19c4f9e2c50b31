#pragma once

// Random matrices for the tensor cores, the registers that hold them, and a kernel that multiplies them. The same seed
// gives the same data everywhere.

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "device.h"
#include "mma_instructions.h"

namespace mma_data {

/// The elements' bits, a and b by rows.
struct Matrices {
    std::vector<std::uint64_t> a, b, c;
};

constexpr unsigned bits_of(Type type) {
    switch (type) {
        case Type::b1:
            return 1;
        case Type::s4:
        case Type::u4:
            return 4;
        case Type::s8:
        case Type::u8:
            return 8;
        case Type::f16:
        case Type::bf16:
            return 16;
        case Type::f64:
            return 64;
        default:
            return 32;
    }
}

constexpr bool is_float(Type type) {
    return type <= Type::f64;
}

struct Format {
    unsigned mantissa, exponent, unused;  // bits; the unused ones are the lowest
    constexpr std::uint64_t sign() const { return std::uint64_t{1} << (mantissa + exponent + unused); }
    constexpr std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent) - 1) << (mantissa + unused); }
    constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
};

constexpr Format format_of(Type type) {
    switch (type) {
        case Type::f16:
            return {10, 5, 0};
        case Type::bf16:
            return {7, 8, 0};
        case Type::tf32:
            return {10, 8, 13};
        case Type::f32:
            return {23, 8, 0};
        default:
            return {52, 11, 0};
    }
}

/// What the data of floats are like. Each kind asks for another property of the sum.
enum class Kind {
    small_integers,  // exact in any order
    unit,            // of similar size
    wide,            // the middle half of the exponents
    finite,          // any bits that are finite
    any,             // some infinite, some no numbers
    subnormal,       // half of them
    cancelling,      // two products of opposite sign, far larger than the others: which bits of those are kept?
    zeros,           // half of them 0 or -0, beside large factors, the rest tiny: does 0 times much count as much?
    tiny,            // products around the smallest sum
    huge,            // sums around the largest
    negative_zeros,  // nothing but zeros, most of them -0
    count
};
inline constexpr const char* kind_names[] = {"small_integers", "unit",  "wide", "finite", "any",           "subnormal",
                                             "cancelling",     "zeros", "tiny", "huge",   "negative_zeros"};

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t bits() { return engine_(); }
    std::uint64_t below(std::uint64_t n) { return engine_() % n; }
    int between(int least, int most) {
        return least + static_cast<int>(below(static_cast<std::uint64_t>(most - least + 1)));
    }

    /// A random mantissa and sign, 2^power times something in [1, 2).
    std::uint64_t with_power(Format format, int power) {
        const int largest = 2 * format.bias(), field = std::min(std::max(power + format.bias(), 0), largest);
        const std::uint64_t magnitude = static_cast<std::uint64_t>(field) << (format.mantissa + format.unused);
        return magnitude | (bits() & (format.sign() | ((std::uint64_t{1} << (format.mantissa + format.unused)) - 1)));
    }

  private:
    std::mt19937_64 engine_;
};

/// The bits of a small whole number.
inline std::uint64_t whole_number(Format format, int value) {
    if (value == 0) return 0;
    const unsigned size = static_cast<unsigned>(value < 0 ? -value : value);
    unsigned power = 0;
    while (size >> power > 1) ++power;
    const std::uint64_t field = static_cast<std::uint64_t>(format.bias()) + power;
    const std::uint64_t fraction =
        (std::uint64_t{size} << format.mantissa >> power) & ((std::uint64_t{1} << format.mantissa) - 1);
    return (value < 0 ? format.sign() : 0) | (field << format.mantissa | fraction) << format.unused;
}

inline std::uint64_t random_float(Random& random, Format format, Kind kind, bool of_sum) {
    const int bias = format.bias(), half = bias / 2;
    const auto zero = [&](unsigned negative_of_8) { return random.below(8) < negative_of_8 ? format.sign() : 0; };
    switch (kind) {
        case Kind::small_integers:
            return whole_number(format, random.between(-4, 4) * (of_sum ? 50 : 1));
        case Kind::unit:
            return random.with_power(format, random.between(-4, 0));
        case Kind::wide:
        case Kind::cancelling:
            return random.with_power(format, random.between(-half, half) / (kind == Kind::wide ? 1 : 2));
        case Kind::any:
            if (random.below(40) == 0) return format.infinity() | (random.bits() & format.sign());
            if (random.below(40) == 0) return format.infinity() | (random.bits() & (format.sign() - 1));
            [[fallthrough]];
        case Kind::finite:
            return random.with_power(format, random.between(-bias, bias));
        case Kind::subnormal:
            return random.with_power(format, random.below(2) == 0 ? -bias : random.between(-bias + 1, bias));
        case Kind::zeros:
            if (random.below(2) == 0) return zero(4);
            return random.with_power(format,
                                     random.below(4) == 0 ? random.between(half, bias) : random.between(-bias, -half));
        case Kind::tiny:
            if (of_sum && random.below(2) == 0) return zero(4);
            return random.with_power(format,
                                     of_sum ? random.between(-bias, -bias + 3) : random.between(-bias, 14 - half));
        case Kind::huge:
            return random.with_power(format,
                                     of_sum ? random.between(bias - 1, bias) : random.between(half - 2, half + 1));
        default:
            return zero(of_sum ? 6 : 4);
    }
}

/// The sums of f16 and small factors may overflow: that is what `huge` is for.
template <class Mma>
Matrices random_matrices(Random& random, Kind kind) {
    const auto [m, n, k] = Mma::shape;
    Matrices matrices{std::vector<std::uint64_t>(m * k), std::vector<std::uint64_t>(k * n),
                      std::vector<std::uint64_t>(m * n)};
    if constexpr (!is_float(Mma::a)) {
        // As a byte, 0x80 for example; and all bits alike are the extremes.
        const auto fill = [&](std::vector<std::uint64_t>& to, unsigned bits, bool extreme) {
            for (std::uint64_t& x : to)
                x = (extreme ? std::uint64_t{1} << (bits - 1) : random.bits()) & (~std::uint64_t{0} >> (64 - bits));
        };
        fill(matrices.a, bits_of(Mma::a), kind == Kind::huge || kind == Kind::tiny);
        fill(matrices.b, bits_of(Mma::b), kind == Kind::huge);
        fill(matrices.c, 32, false);
        if (kind == Kind::huge || kind == Kind::tiny)  // close to where the sum overflows
            for (std::uint64_t& x : matrices.c) x = (x & 0x80000000) | ((x & 0x80000000) != 0 ? 0 : 0x7fffffff);
        return matrices;
    } else {
        for (std::uint64_t& x : matrices.a) x = random_float(random, format_of(Mma::a), kind, false);
        for (std::uint64_t& x : matrices.b) x = random_float(random, format_of(Mma::b), kind, false);
        for (std::uint64_t& x : matrices.c) x = random_float(random, format_of(Mma::sum), kind, true);
        if (kind == Kind::cancelling) {
            const Format format = format_of(Mma::a);
            const unsigned first = static_cast<unsigned>(random.below(k));
            const unsigned second = (first + 1 + static_cast<unsigned>(random.below(k - 1))) % k;
            for (unsigned j = 0; j < n; ++j) matrices.b[second * n + j] = matrices.b[first * n + j];
            for (unsigned i = 0; i < m; ++i) {
                const std::uint64_t large =
                    random.with_power(format, random.between(format.bias() / 4, format.bias() - 2));
                matrices.a[i * k + first] = large;
                matrices.a[i * k + second] = large ^ format.sign();
            }
        }
        return matrices;
    }
}

// Where the PTX ISA has the elements: in lane 4 g + t, element i of A is in row g or g + 8 ...
template <class Mma>
struct Layout {
    static constexpr unsigned m = Mma::shape.m, n = Mma::shape.n, k = Mma::shape.k;
    static constexpr unsigned packed = (Mma::a == Type::f64 ? 64 : 32) / bits_of(Mma::a);
    static constexpr unsigned elements_of_a = m * k / 32, elements_of_b = k * n / 32, elements_of_c = m * n / 32;

    static unsigned a(unsigned lane, unsigned i) {
        const unsigned g = lane / 4, t = lane % 4;
        if (m == 8) return g * k + t * packed + i;
        const unsigned row = i / packed % 2 == 0 ? g : g + 8;
        const unsigned column = t * packed + i % packed + i / (2 * packed) * 4 * packed;
        return row * k + column;
    }
    static unsigned b(unsigned lane, unsigned i) {
        const unsigned row = lane % 4 * packed + i % packed + i / packed * 4 * packed;
        return row * n + lane / 4;
    }
    static unsigned c(unsigned lane, unsigned i) {
        const unsigned row = i < 2 ? lane / 4 : lane / 4 + 8;
        return row * n + lane % 4 * 2 + i % 2;
    }
};

template <class Register>
void put(std::vector<Register>& registers, std::size_t first_bit, std::uint64_t element, unsigned bits) {
    std::uint64_t whole = 0;
    Register& to = registers[first_bit / (8 * sizeof(Register))];
    std::memcpy(&whole, &to, sizeof(Register));
    const std::size_t shift = first_bit % (8 * sizeof(Register));
    whole = (whole & ~((~std::uint64_t{0} >> (64 - bits)) << shift)) | element << shift;
    std::memcpy(&to, &whole, sizeof(Register));
}

template <class Register>
std::uint64_t get(const std::vector<Register>& registers, std::size_t first_bit, unsigned bits) {
    std::uint64_t whole = 0;
    std::memcpy(&whole, &registers[first_bit / (8 * sizeof(Register))], sizeof(Register));
    return whole >> first_bit % (8 * sizeof(Register)) & (~std::uint64_t{0} >> (64 - bits));
}

// Each warp of the grid makes a product of its own.
template <class Mma>
__global__ void multiply(const typename Mma::Factor* a, const typename Mma::Factor* b, const typename Mma::Sum* c,
                         typename Mma::Sum* d) {
    using L = Layout<Mma>;
    constexpr unsigned of_a = L::elements_of_a / L::packed, of_b = L::elements_of_b / L::packed;
    constexpr unsigned of_c = L::elements_of_c / (Mma::sum == Type::f16 ? 2 : 1);
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    typename Mma::Factor mine_a[of_a], mine_b[of_b];
    typename Mma::Sum mine_c[of_c], mine_d[of_c];
    for (unsigned i = 0; i < of_a; ++i) mine_a[i] = a[thread * of_a + i];
    for (unsigned i = 0; i < of_b; ++i) mine_b[i] = b[thread * of_b + i];
    for (unsigned i = 0; i < of_c; ++i) mine_c[i] = c[thread * of_c + i];
    Mma::multiply(mine_d, mine_a, mine_b, mine_c);
    for (unsigned i = 0; i < of_c; ++i) d[thread * of_c + i] = mine_d[i];
}

/// The products on the device: of each, the bits of D by rows.
template <class Mma>
std::vector<std::vector<std::uint64_t>> on_device(const std::vector<Matrices>& products) {
    using L = Layout<Mma>;
    using Factor = typename Mma::Factor;
    using Sum = typename Mma::Sum;
    constexpr unsigned bits = bits_of(Mma::a), sum_bits = bits_of(Mma::sum);
    const std::size_t lanes = products.size() * 32;
    constexpr unsigned of_c = L::elements_of_c * sum_bits / (8 * sizeof(Sum));
    std::vector<Factor> a(lanes * L::elements_of_a / L::packed), b(lanes * L::elements_of_b / L::packed);
    std::vector<Sum> c(lanes * of_c);
    for (std::size_t l = 0; l < lanes; ++l) {
        const auto lane = static_cast<unsigned>(l % 32);
        const Matrices& product = products[l / 32];
        for (unsigned i = 0; i < L::elements_of_a; ++i)
            put(a, (l * L::elements_of_a + i) * bits, product.a[L::a(lane, i)], bits);
        for (unsigned i = 0; i < L::elements_of_b; ++i)
            put(b, (l * L::elements_of_b + i) * bits, product.b[L::b(lane, i)], bits);
        for (unsigned i = 0; i < L::elements_of_c; ++i)
            put(c, (l * L::elements_of_c + i) * sum_bits, product.c[L::c(lane, i)], sum_bits);
    }
    const auto d_a = DeviceBuffer<Factor>::from_host(a);
    const auto d_b = DeviceBuffer<Factor>::from_host(b);
    const auto d_c = DeviceBuffer<Sum>::from_host(c);
    DeviceBuffer<Sum> d_d(c.size());
    d_d.poison();
    multiply<Mma><<<static_cast<unsigned>(products.size()), 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data());
    CUDA_CHECK_LAUNCH();
    const std::vector<Sum> d = d_d.to_host();
    std::vector<std::vector<std::uint64_t>> results(products.size(), std::vector<std::uint64_t>(L::m * L::n));
    for (std::size_t l = 0; l < lanes; ++l)
        for (unsigned i = 0; i < L::elements_of_c; ++i)
            results[l / 32][L::c(static_cast<unsigned>(l % 32), i)] =
                get(d, (l * L::elements_of_c + i) * sum_bits, sum_bits);
    return results;
}

}  // namespace mma_data
