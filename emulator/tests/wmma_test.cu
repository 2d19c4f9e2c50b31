// nvcuda::wmma: every shape and type, by rows and by columns, against a plain triple loop over whole numbers.

#include <mma.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <typeinfo>

#include "device.h"
#include "testing.h"

namespace {

namespace wmma = nvcuda::wmma;
namespace bits = wmma::experimental;

// Where a matrix is in memory: rows or columns, at least `gap` elements more apart than they need to be.
struct Place {
    unsigned rows, columns;
    bool by_rows;
    unsigned gap = 16;

    unsigned ldm() const { return ((by_rows ? columns : rows) + 15) / 16 * 16 + gap; }  // in whole 16 elements
    unsigned size() const { return (by_rows ? rows : columns) * ldm(); }
    unsigned at(unsigned i, unsigned j) const { return by_rows ? i * ldm() + j : j * ldm() + i; }
};

struct Strides {
    unsigned a, b, c, d;
};

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Sum, class Stored>
__global__ void multiply(const Stored* a, const Stored* b, const Sum* c, Sum* d, Strides ldm, wmma::layout_t c_layout,
                         wmma::layout_t d_layout) {
    wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> of_a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> of_b;
    wmma::fragment<wmma::accumulator, m, n, k, Sum> sums, doubled;
    wmma::load_matrix_sync(of_a, a, ldm.a);
    wmma::load_matrix_sync(of_b, b, ldm.b);
    wmma::load_matrix_sync(sums, c, ldm.c, c_layout);
    wmma::mma_sync(sums, of_a, of_b, sums);
    // Element by element, as a program may that does not know which it has.
    wmma::fill_fragment(doubled, Sum(1));
    for (unsigned i = 0; i < sums.num_elements; ++i) doubled.x[i] = doubled.x[i] + sums.x[i] + sums.x[i];
    wmma::store_matrix_sync(d, doubled, ldm.d, d_layout);
}

template <int m, int n, int k, class T, class Stored, class LayoutA, class LayoutB, class Sum>
void check_layouts(wmma::layout_t c_layout, wmma::layout_t d_layout) {
    std::mt19937_64 random(test_seed());
    const bool is_signed = Stored(0) - Stored(1) < Stored(0);
    const auto any = [&] { return static_cast<int>(random() % 8) - (is_signed ? 4 : 0); };
    const Place in_a{m, k, std::is_same_v<LayoutA, wmma::row_major>},
        in_b{k, n, std::is_same_v<LayoutB, wmma::row_major>};
    const Place in_c{m, n, c_layout == wmma::mem_row_major}, in_d{m, n, d_layout == wmma::mem_row_major, 32};
    std::vector<Stored> a(in_a.size()), b(in_b.size());
    std::vector<Sum> c(in_c.size()), expected(in_d.size());
    for (auto& x : a) x = static_cast<Stored>(static_cast<float>(any()));
    for (auto& x : b) x = static_cast<Stored>(static_cast<float>(any()));
    for (auto& x : c) x = static_cast<Sum>(static_cast<float>(any()));
    std::memset(static_cast<void*>(expected.data()), 0xff,
                expected.size() * sizeof(Sum));  // between rows nothing changes
    for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j) {
            int sum = static_cast<int>(static_cast<float>(c[in_c.at(i, j)]));
            for (unsigned l = 0; l < k; ++l)
                sum += static_cast<int>(static_cast<float>(a[in_a.at(i, l)])) *
                       static_cast<int>(static_cast<float>(b[in_b.at(l, j)]));
            expected[in_d.at(i, j)] = static_cast<Sum>(static_cast<float>(2 * sum + 1));
        }
    const auto d_a = DeviceBuffer<Stored>::from_host(a);
    const auto d_b = DeviceBuffer<Stored>::from_host(b);
    const auto d_c = DeviceBuffer<Sum>::from_host(c);
    DeviceBuffer<Sum> d_d(expected.size());
    d_d.poison();
    multiply<m, n, k, T, LayoutA, LayoutB, Sum><<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data(),
                                                           Strides{in_a.ldm(), in_b.ldm(), in_c.ldm(), in_d.ldm()},
                                                           c_layout, d_layout);
    CUDA_CHECK_LAUNCH();
    const std::vector<Sum> d = d_d.to_host();
    CAPTURE(m, n, k, typeid(T*).name(), typeid(Sum).name(), in_a.by_rows, in_b.by_rows, in_c.by_rows, in_d.by_rows);
    for (unsigned e = 0; e < d.size(); ++e) {
        CAPTURE(e);
        REQUIRE(std::memcmp(&d[e], &expected[e], sizeof(Sum)) == 0);
    }
}

template <int m, int n, int k, class T, class Stored, class Sum>
void check() {
    for (const auto c_layout : {wmma::mem_row_major, wmma::mem_col_major})
        for (const auto d_layout : {wmma::mem_row_major, wmma::mem_col_major}) {
            check_layouts<m, n, k, T, Stored, wmma::row_major, wmma::row_major, Sum>(c_layout, d_layout);
            check_layouts<m, n, k, T, Stored, wmma::row_major, wmma::col_major, Sum>(c_layout, d_layout);
            check_layouts<m, n, k, T, Stored, wmma::col_major, wmma::row_major, Sum>(c_layout, d_layout);
            check_layouts<m, n, k, T, Stored, wmma::col_major, wmma::col_major, Sum>(c_layout, d_layout);
        }
}

template <class T, class Sum>
void check_large_shapes() {
    check<16, 16, 16, T, T, Sum>();
    check<32, 8, 16, T, T, Sum>();
    check<8, 32, 16, T, T, Sum>();
}

// Elements of less than a byte: words, and the value of element e.
template <class T>
struct Small;
template <>
struct Small<bits::precision::s4> {
    static constexpr int k = 32, in_word = 8;
    static int value(unsigned word, unsigned e) { return static_cast<int>(word >> 4 * e << 28) >> 28; }
};
template <>
struct Small<bits::precision::u4> {
    static constexpr int k = 32, in_word = 8;
    static int value(unsigned word, unsigned e) { return static_cast<int>(word >> 4 * e & 15); }
};
template <>
struct Small<bits::precision::b1> {
    static constexpr int k = 128, in_word = 32;
    static int value(unsigned word, unsigned e) { return static_cast<int>(word >> e & 1); }
};

enum class Operation { multiply, saturate, bit_and, bit_xor };

template <class T>
__global__ void multiply_small(const unsigned* a, const unsigned* b, const int* c, int* d, unsigned ldm,
                               Operation operation) {
    wmma::fragment<wmma::matrix_a, 8, 8, Small<T>::k, T, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 8, 8, Small<T>::k, T, wmma::col_major> of_b;
    wmma::fragment<wmma::accumulator, 8, 8, Small<T>::k, int> sums;
    wmma::load_matrix_sync(of_a, a, ldm);
    wmma::load_matrix_sync(of_b, b, ldm);
    wmma::load_matrix_sync(sums, c, 8, wmma::mem_row_major);
    if constexpr (std::is_same_v<T, bits::precision::b1>)
        wmma::bmma_sync(sums, of_a, of_b, sums,
                        operation == Operation::bit_and ? bits::bmmaBitOpAND : bits::bmmaBitOpXOR);
    else
        wmma::mma_sync(sums, of_a, of_b, sums, operation == Operation::saturate);
    wmma::store_matrix_sync(d, sums, 8, wmma::mem_row_major);
}

template <class T>
void check_small(Operation operation) {
    std::mt19937_64 random(test_seed());
    constexpr unsigned words = Small<T>::k / Small<T>::in_word, stride = words + 4;
    std::vector<unsigned> a(8 * stride), b(8 * stride);
    std::vector<int> c(64), expected(64);
    for (unsigned& x : a) x = static_cast<unsigned>(random());
    for (unsigned& x : b) x = static_cast<unsigned>(random());
    for (int& x : c) x = static_cast<int>(random() % 2 != 0 ? 0x7ffffff0 : random());
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned j = 0; j < 8; ++j) {
            long long sum = c[i * 8 + j];
            for (unsigned l = 0; l < words * Small<T>::in_word; ++l) {
                const int x = Small<T>::value(a[i * stride + l / Small<T>::in_word], l % Small<T>::in_word);
                const int y = Small<T>::value(b[j * stride + l / Small<T>::in_word], l % Small<T>::in_word);
                sum += operation == Operation::bit_and ? x & y : operation == Operation::bit_xor ? x ^ y : x * y;
            }
            if (operation == Operation::saturate) sum = std::clamp(sum, -2147483648ll, 2147483647ll);
            expected[i * 8 + j] = static_cast<int>(sum);
        }
    const auto d_a = DeviceBuffer<unsigned>::from_host(a);
    const auto d_b = DeviceBuffer<unsigned>::from_host(b);
    const auto d_c = DeviceBuffer<int>::from_host(c);
    auto d_d = poisoned<int>(64);
    multiply_small<T><<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data(), stride * Small<T>::in_word, operation);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_d.to_host(), expected);
}

__global__ void fill(unsigned* filled) {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, bits::precision::u4, wmma::row_major> nibbles;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, bits::precision::b1, wmma::col_major> ones;
    wmma::fill_fragment(nibbles, 0x1bu);
    wmma::fill_fragment(ones, 3u);
    filled[threadIdx.x] = nibbles.x[0];
    filled[32 + threadIdx.x] = ones.x[0];
}

__global__ void round_to_tf32(const float* x, float* y, unsigned n) {
    const unsigned i = threadIdx.x;
    if (i < n) y[i] = wmma::__float_to_tf32(x[i]);
}

}  // namespace

TEST_CASE("wmma multiplies half, bfloat16 and tf32", "[emulator][tensor_cores]") {
    check_large_shapes<__half, __half>();
    check_large_shapes<__half, float>();
    check_large_shapes<__nv_bfloat16, float>();
    check<16, 16, 8, wmma::precision::tf32, float, float>();
}

TEST_CASE("wmma multiplies bytes and doubles", "[emulator][tensor_cores]") {
    check_large_shapes<signed char, int>();
    check_large_shapes<unsigned char, int>();
    check<8, 8, 4, double, double, double>();
}

TEST_CASE("wmma multiplies elements of less than a byte", "[emulator][tensor_cores]") {
    for (const auto operation : {Operation::multiply, Operation::saturate}) {
        check_small<bits::precision::s4>(operation);
        check_small<bits::precision::u4>(operation);
    }
    check_small<bits::precision::b1>(Operation::bit_and);
    check_small<bits::precision::b1>(Operation::bit_xor);
}

TEST_CASE("fragments have as many elements as on a GPU, and are filled whole", "[emulator][tensor_cores]") {
    using A = wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::row_major>;
    using B = wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::row_major>;
    using C = wmma::fragment<wmma::accumulator, 32, 8, 16, float>;
    using Bits = wmma::fragment<wmma::matrix_a, 8, 8, 128, bits::precision::b1, wmma::row_major>;
    REQUIRE(static_cast<int>(A::num_elements) == 16);
    REQUIRE(static_cast<int>(B::num_elements) == 16);
    REQUIRE(static_cast<int>(C::num_elements) == 8);
    REQUIRE(static_cast<int>(Bits::num_elements) == 32);
    REQUIRE(static_cast<int>(Bits::num_storage_elements) == 1);

    auto filled = poisoned<unsigned>(64);
    fill<<<1, 32>>>(filled.data());
    CUDA_CHECK_LAUNCH();
    std::vector<unsigned> expected(64, 0xbbbbbbbb);
    std::fill(expected.begin() + 32, expected.end(), 0xffffffff);
    REQUIRE_SAME(filled.to_host(), expected);
}

TEST_CASE("__float_to_tf32 rounds to nearest, ties away from zero", "[emulator][tensor_cores]") {
    const std::vector<float> x{1.0f, 0x1.002p0f, 0x1.001ffep0f, -0x1.002p0f, 0x1.fffp0f, 0.0f, -0.0f, 0x1.fffffep127f};
    const std::vector<float> expected{1.0f, 0x1.004p0f, 1.0f,  -0x1.004p0f,
                                      2.0f, 0.0f,       -0.0f, std::numeric_limits<float>::infinity()};
    const auto d_x = DeviceBuffer<float>::from_host(x);
    auto d_y = poisoned<float>(x.size());
    round_to_tf32<<<1, 32>>>(d_x.data(), d_y.data(), static_cast<unsigned>(x.size()));
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_y.to_host(), expected);
}
