// The instructions of the tensor cores: the lanes of a warp bring their registers, and when all are there the matrices
// are put together, multiplied and dealt out again.

#include "tensor_cores.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "../runtime_api/observers.h"
#include "emulator/matrix_fragments.h"
#include "emulator/tensor_cores.h"
#include "tensor_floats.h"
#include "worker.h"

namespace emulator {
namespace {

constexpr unsigned warp_size = 32;

struct Operands {
    const MatrixProduct* product;
    const std::uint64_t *a, *b, *c;
    std::uint64_t* d;
};

struct Rows {
    unsigned matrices;
    bool transposed;
    const std::uint32_t* row;
    std::uint64_t* registers;
};

template <class Brought>
const Brought& brought(const std::uint64_t* lanes, unsigned lane) {
    return *reinterpret_cast<const Brought*>(lanes[lane]);
}

std::uint64_t element(const std::uint64_t* registers, unsigned e, unsigned bits, unsigned in_register) {
    const unsigned packed = in_register / bits;
    return registers[e / packed] >> e % packed * bits & (~std::uint64_t{0} >> (64 - bits));
}

std::int64_t signed_value(Element type, std::uint64_t bits) {
    switch (type) {
        case Element::s4:
            return static_cast<std::int64_t>(bits << 60) >> 60;
        case Element::s8:
            return static_cast<std::int8_t>(bits);
        case Element::s32:
            return static_cast<std::int32_t>(bits);
        default:
            return static_cast<std::int64_t>(bits);
    }
}

// The matrices of one product, element by element: a by rows, b by columns, so that a sum goes along both.
struct Matrices {
    std::vector<std::uint64_t> a, b, c;
    unsigned k;  // elements of a row of a

    Matrices(const MatrixProduct& product, const std::uint64_t* lanes);
};

Matrices::Matrices(const MatrixProduct& product, const std::uint64_t* lanes)
    : k(product.a == Element::b1 ? product.k / 32 : product.k) {
    const auto [m, n] = std::pair(product.m, product.n);
    const unsigned bits = bits_of(product.a), sum_bits = bits_of(product.sum);
    const unsigned in_register = register_bits(product.a), packed = in_register / bits;
    a.resize(m * k), b.resize(n * k), c.resize(m * n);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const auto& operands = brought<Operands>(lanes, lane);
        for (unsigned e = 0; e < m * k / warp_size; ++e) {
            const auto [row, column] = index_in_a(lane, e, m, packed);
            a[row * k + column] = element(operands.a, e, bits, in_register);
        }
        for (unsigned e = 0; e < n * k / warp_size; ++e) {
            const auto [row, column] = index_in_b(lane, e, n, packed);
            b[column * k + row] = element(operands.b, e, bits, in_register);
        }
        for (unsigned e = 0; e < m * n / warp_size; ++e) {
            const auto [row, column] = index_in_sum(lane, e, m);
            c[row * n + column] = element(operands.c, e, sum_bits, register_bits(product.sum));
        }
    }
}

// c becomes the result, of which sum(c, first of a's row, first of b's column) makes each element.
template <class T, class Sum>
void for_each_sum(const MatrixProduct& product, Matrices& matrices, const std::vector<T>& a, const std::vector<T>& b,
                  const Sum& sum) {
    for (unsigned i = 0; i < product.m; ++i)
        for (unsigned j = 0; j < product.n; ++j) {
            std::uint64_t& c = matrices.c[i * product.n + j];
            c = sum(c, &a[i * matrices.k], &b[j * matrices.k]);
        }
}

void multiply_bits(const MatrixProduct& product, Matrices& matrices) {
    const bool both = product.mode == MatrixProduct::Mode::bit_and;
    for_each_sum(product, matrices, matrices.a, matrices.b,
                 [&](std::uint64_t c, const std::uint64_t* a, const std::uint64_t* b) {
                     for (unsigned w = 0; w < matrices.k; ++w)
                         c += static_cast<unsigned>(std::popcount(both ? a[w] & b[w] : a[w] ^ b[w]));
                     return c & 0xffffffff;
                 });
}

void multiply_integers(const MatrixProduct& product, Matrices& matrices) {
    const auto values = [](Element type, const std::vector<std::uint64_t>& bits) {
        std::vector<std::int64_t> result(bits.size());
        std::transform(bits.begin(), bits.end(), result.begin(),
                       [&](std::uint64_t each) { return signed_value(type, each); });
        return result;
    };
    for_each_sum(product, matrices, values(product.a, matrices.a), values(product.b, matrices.b),
                 [&](std::uint64_t c, const std::int64_t* a, const std::int64_t* b) {
                     using Limits = std::numeric_limits<std::int32_t>;
                     std::int64_t result = signed_value(Element::s32, c);
                     for (unsigned l = 0; l < matrices.k; ++l) result += a[l] * b[l];
                     if (product.mode == MatrixProduct::Mode::saturate)
                         result = std::clamp<std::int64_t>(result, Limits::min(), Limits::max());
                     return static_cast<std::uint64_t>(result) & 0xffffffff;
                 });
}

// a · b + c, rounded once. Of several that are no numbers the result is the first of b, c and a, as on an H200. Where
// there is none, as in ∞ - ∞, an H200 and x86-64 make a negative NaN, and ARM a positive one.
double multiply_add(double a, double b, double c) {
    for (const double x : {b, c, a})
        if (std::isnan(x)) return x + x;  // which is quiet
    const double result = std::fma(a, b, c);
    return std::isnan(result) ? -std::numeric_limits<double>::quiet_NaN() : result;
}

void multiply_doubles(const MatrixProduct& product, Matrices& matrices) {
    for_each_sum(product, matrices, matrices.a, matrices.b,
                 [&](std::uint64_t c, const std::uint64_t* a, const std::uint64_t* b) {
                     auto result = std::bit_cast<double>(c);
                     for (unsigned l = 0; l < matrices.k; ++l)
                         result = multiply_add(std::bit_cast<double>(a[l]), std::bit_cast<double>(b[l]), result);
                     return std::bit_cast<std::uint64_t>(result);
                 });
}

void multiply_floats(const MatrixProduct& product, Matrices& matrices) {
    const auto unpacked = [&](const std::vector<std::uint64_t>& bits) {
        std::vector<TensorFloat> result(bits.size());
        std::transform(bits.begin(), bits.end(), result.begin(),
                       [&](std::uint64_t each) { return unpack(product.a, static_cast<std::uint32_t>(each)); });
        return result;
    };
    const auto is_tf32 = [](std::uint64_t bits) { return (bits & 0x1fff) == 0; };
    if (product.a == Element::tf32 &&
        !(std::ranges::all_of(matrices.a, is_tf32) && std::ranges::all_of(matrices.b, is_tf32)))
        tell_observer([](Observer& told) { told.takes_floats_as_tf32(); });
    for_each_sum(product, matrices, unpacked(matrices.a), unpacked(matrices.b),
                 [&](std::uint64_t c, const TensorFloat* a, const TensorFloat* b) -> std::uint64_t {
                     return tensor_dot(product.a, product.sum, matrices.k, a, b, static_cast<std::uint32_t>(c));
                 });
}

void deal_out(const MatrixProduct& product, const Matrices& matrices, const std::uint64_t* lanes) {
    const unsigned bits = bits_of(product.sum), packed = register_bits(product.sum) / bits;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        std::uint64_t* d = brought<Operands>(lanes, lane).d;
        const unsigned elements = product.m * product.n / warp_size;
        std::fill_n(d, elements / packed, 0);
        for (unsigned e = 0; e < elements; ++e) {
            const auto [row, column] = index_in_sum(lane, e, product.m);
            d[e / packed] |= matrices.c[row * product.n + column] << e % packed * bits;
        }
    }
}

// Tells instructions apart that lanes may have come to.
unsigned number_of(const MatrixProduct& product) {
    unsigned number = product.m / 8;
    number = number * 64 + product.n / 8;
    number = number * 512 + product.k;
    for (const Element element : {product.a, product.b, product.sum})
        number = number * 16 + static_cast<unsigned>(element);
    return number * 4 + static_cast<unsigned>(product.mode);
}

}  // namespace

void multiply_brought(const std::uint64_t* lanes) {
    const MatrixProduct& product = *brought<Operands>(lanes, 0).product;
    Matrices matrices(product, lanes);
    switch (product.a) {
        case Element::b1:
            multiply_bits(product, matrices);
            break;
        case Element::s4:
        case Element::u4:
        case Element::s8:
        case Element::u8:
            multiply_integers(product, matrices);
            break;
        case Element::f64:
            multiply_doubles(product, matrices);
            break;
        default:
            multiply_floats(product, matrices);
    }
    deal_out(product, matrices, lanes);
}

void exchange_brought(const std::uint64_t* lanes) {
    const auto half_word = [&](unsigned matrix, unsigned row, unsigned column) -> std::uint64_t {
        const std::uint32_t* words = brought<Rows>(lanes, matrix * 8 + row).row;
        return words[column / 2] >> column % 2 * 16 & 0xffff;
    };
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const auto& mine = brought<Rows>(lanes, lane);
        const unsigned g = lane / 4, t = lane % 4;
        for (unsigned i = 0; i < mine.matrices; ++i)
            mine.registers[i] = mine.transposed ? half_word(i, 2 * t, g) | half_word(i, 2 * t + 1, g) << 16
                                                : half_word(i, g, 2 * t) | half_word(i, g, 2 * t + 1) << 16;
    }
}

void multiply_matrices(const MatrixProduct& product, std::uint64_t* d, const std::uint64_t* a, const std::uint64_t* b,
                       const std::uint64_t* c) {
    const Uninterrupted here;
    const Operands mine{&product, a, b, c, d};
    existing_worker->warp_operation({WarpOperation::mma, whole_warp, __builtin_return_address(0)},
                                    reinterpret_cast<std::uintptr_t>(&mine), number_of(product));
}

void exchange_rows(unsigned matrices, bool transposed, const std::uint32_t (&row)[4], std::uint64_t (&registers)[4]) {
    const Uninterrupted here;
    const Rows mine{matrices, transposed, row, registers};
    existing_worker->warp_operation({WarpOperation::ldmatrix, whole_warp, __builtin_return_address(0)},
                                    reinterpret_cast<std::uintptr_t>(&mine), matrices * 2 + transposed);
}

}  // namespace emulator
