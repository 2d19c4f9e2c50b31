// The atomic functions: what they leave behind, what they return, and that no update is lost.

#include <algorithm>
#include <limits>
#include <numeric>

#include "device.h"
#include "testing.h"

namespace {

// Each function as a type, so that one kernel can be made for any of them.
#define OPERATION(name)                                  \
    struct name##_op {                                   \
        template <class T>                               \
        static __device__ T apply(T* address, T value) { \
            return name(address, value);                 \
        }                                                \
    };
#define OPERATIONS(name)    \
    OPERATION(name)         \
    OPERATION(name##_block) \
    OPERATION(name##_system)
OPERATIONS(atomicAdd)
OPERATIONS(atomicSub)
OPERATIONS(atomicExch)
OPERATIONS(atomicMin)
OPERATIONS(atomicMax)
OPERATIONS(atomicInc)
OPERATIONS(atomicDec)
OPERATIONS(atomicAnd)
OPERATIONS(atomicOr)
OPERATIONS(atomicXor)

template <class Operation, class T>
__global__ void apply_in_global(T* cells, const T* values, T* old, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = Operation::apply(&cells[i], values[i]);
}

template <class Operation, class T>
__global__ void apply_in_shared(T* cells, const T* values, T* old, unsigned n) {
    __shared__ T mine[64];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    mine[threadIdx.x] = cells[i];
    old[i] = Operation::apply(&mine[threadIdx.x], values[i]);
    cells[i] = mine[threadIdx.x];
}

// Random values, and among them the ends of T's range and small ones, in all pairs.
template <class T>
void operands(std::vector<T>& cells, std::vector<T>& values) {
    std::vector<T> some = random_values<T>(9);
    const std::vector<T> edges = {T(0),
                                  T(1),
                                  T(2),
                                  T(-1),
                                  T(7),
                                  std::numeric_limits<T>::max(),
                                  std::numeric_limits<T>::lowest(),
                                  static_cast<T>(std::numeric_limits<T>::max() - 1)};
    some.insert(some.end(), edges.begin(), edges.end());
    for (const T a : some)
        for (const T b : some) {
            cells.push_back(a);
            values.push_back(b);
        }
}

template <class Operation, class T, class Expected>
void check_one(Expected expected) {
    std::vector<T> before, values;
    operands(before, values);
    const unsigned n = static_cast<unsigned>(before.size());
    std::vector<T> after(n);
    std::transform(before.begin(), before.end(), values.begin(), after.begin(), expected);
    const auto device_values = DeviceBuffer<T>::from_host(values);
    for (const bool shared : {false, true}) {
        auto cells = DeviceBuffer<T>::from_host(before);
        auto old = poisoned<T>(n);
        if (shared)
            apply_in_shared<Operation><<<(n + 63) / 64, 64>>>(cells.data(), device_values.data(), old.data(), n);
        else
            apply_in_global<Operation><<<(n + 63) / 64, 64>>>(cells.data(), device_values.data(), old.data(), n);
        CUDA_CHECK_LAUNCH();
        INFO((shared ? "in shared memory" : "in global memory"));
        REQUIRE_SAME(old.to_host(), before);
        REQUIRE_SAME(cells.to_host(), after);
    }
}

#define CHECK_FORMS(name, T, expected)       \
    check_one<name##_op, T>(expected);       \
    check_one<name##_block_op, T>(expected); \
    check_one<name##_system_op, T>(expected)

using ull = unsigned long long;

// In unsigned arithmetic, where wrapping around is defined.
template <class T>
using Unsigned = std::make_unsigned_t<T>;
constexpr auto sum = [](auto a, auto b) {
    using T = decltype(a);
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
};
constexpr auto difference_of = [](auto a, auto b) {
    using T = decltype(a);
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
};
constexpr auto second = [](auto, auto b) { return b; };
constexpr auto smaller = [](auto a, auto b) { return std::min(a, b); };
constexpr auto larger = [](auto a, auto b) { return std::max(a, b); };
// What is left of each pair's sum, added in global and in shared memory.
__global__ void add_small(const float* a, const float* b, float* in_global, float* in_shared) {
    __shared__ float sum;
    for (unsigned i = 0; i < 5; ++i) {
        in_global[i] = sum = a[i];
        atomicAdd(&in_global[i], b[i]);
        atomicAdd(&sum, b[i]);
        in_shared[i] = sum;
    }
}

constexpr auto both = [](auto a, auto b) { return a & b; };
constexpr auto either = [](auto a, auto b) { return a | b; };
constexpr auto one_of = [](auto a, auto b) { return a ^ b; };

}  // namespace

TEST_CASE("atomicAdd, atomicSub and atomicExch change a value and return the old one", "[atomics]") {
    CHECK_FORMS(atomicAdd, int, sum);
    CHECK_FORMS(atomicAdd, unsigned, sum);
    CHECK_FORMS(atomicAdd, ull, sum);
    CHECK_FORMS(atomicSub, int, difference_of);
    CHECK_FORMS(atomicSub, unsigned, difference_of);
    CHECK_FORMS(atomicExch, int, second);
    CHECK_FORMS(atomicExch, unsigned, second);
    CHECK_FORMS(atomicExch, ull, second);
    CHECK_FORMS(atomicExch, float, second);
}

TEST_CASE("atomicAdd of float and double rounds as + does", "[atomics]") {
    CHECK_FORMS(atomicAdd, float, [](float a, float b) { return a + b; });
    CHECK_FORMS(atomicAdd, double, [](double a, double b) { return a + b; });
}

TEST_CASE("atomicAdd of floats takes those below 2^-126 for zero in global memory only", "[atomics]") {
    const std::vector<float> a = {0, 0x1p-130f, 0x1.8p-126f, 0x1p-126f, -0x1p-140f};
    const std::vector<float> b = {0x1p-127f, 1.5f, -0x1p-126f, 0x1p-149f, -0x1p-141f};
    const auto d_a = DeviceBuffer<float>::from_host(a), d_b = DeviceBuffer<float>::from_host(b);
    auto in_global = poisoned<float>(5), in_shared = poisoned<float>(5);
    add_small<<<1, 1>>>(d_a.data(), d_b.data(), in_global.data(), in_shared.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(in_global.to_host() == std::vector<float>{0, 1.5f, 0, 0x1p-126f, 0});  // a zero of either sign
    REQUIRE_SAME(in_shared.to_host(), (std::vector<float>{0x1p-127f, 1.5f, 0x1p-127f, 0x1.000002p-126f, -0x1.8p-140f}));
}

TEST_CASE("atomicMin and atomicMax compare as the type says", "[atomics]") {
    CHECK_FORMS(atomicMin, int, smaller);
    CHECK_FORMS(atomicMin, unsigned, smaller);
    CHECK_FORMS(atomicMin, long long, smaller);
    CHECK_FORMS(atomicMin, ull, smaller);
    CHECK_FORMS(atomicMax, int, larger);
    CHECK_FORMS(atomicMax, unsigned, larger);
    CHECK_FORMS(atomicMax, long long, larger);
    CHECK_FORMS(atomicMax, ull, larger);
}

TEST_CASE("atomicInc and atomicDec wrap around at the value given", "[atomics]") {
    CHECK_FORMS(atomicInc, unsigned, [](unsigned a, unsigned b) { return a >= b ? 0 : a + 1; });
    CHECK_FORMS(atomicDec, unsigned, [](unsigned a, unsigned b) { return a == 0 || a > b ? b : a - 1; });
}

TEST_CASE("atomicAnd, atomicOr and atomicXor", "[atomics]") {
    CHECK_FORMS(atomicAnd, int, both);
    CHECK_FORMS(atomicAnd, unsigned, both);
    CHECK_FORMS(atomicAnd, long long, both);
    CHECK_FORMS(atomicAnd, ull, both);
    CHECK_FORMS(atomicOr, int, either);
    CHECK_FORMS(atomicOr, unsigned, either);
    CHECK_FORMS(atomicOr, long long, either);
    CHECK_FORMS(atomicOr, ull, either);
    CHECK_FORMS(atomicXor, int, one_of);
    CHECK_FORMS(atomicXor, unsigned, one_of);
    CHECK_FORMS(atomicXor, long long, one_of);
    CHECK_FORMS(atomicXor, ull, one_of);
}

// -------------------------------------------------------------------------------------------------- compare and swap

namespace {

template <class T>
__global__ void swap_if_equal(T* cells, const T* compare, T* old, T value, unsigned n) {
    __shared__ T mine[64];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    mine[threadIdx.x] = cells[i];
    old[i] = atomicCAS(&cells[i], compare[i], value);
    old[n + i] = atomicCAS(&mine[threadIdx.x], compare[i], value);
    cells[n + i] = mine[threadIdx.x];
}

// Unlike the rest of them, the forms for a block and for the system do not exist for 16 bits.
template <class T>
__global__ void swap_if_equal_forms(T* cells, const T* compare, T* old, T value, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    old[i] = atomicCAS_block(&cells[i], compare[i], value);
    old[n + i] = atomicCAS_system(&cells[n + i], compare[i], value);
}

template <class T, class Kernel>
void check_swap(Kernel kernel) {
    std::vector<T> before, compare;
    operands(before, compare);
    const unsigned n = static_cast<unsigned>(before.size());
    const T value = static_cast<T>(random_values<ull>(1)[0]);
    std::vector<T> after(before);
    for (unsigned i = 0; i < n; ++i)
        if (before[i] == compare[i]) after[i] = value;
    before.insert(before.end(), before.begin(), before.begin() + n);
    after.insert(after.end(), after.begin(), after.begin() + n);

    auto cells = DeviceBuffer<T>::from_host(before);
    const auto device_compare = DeviceBuffer<T>::from_host(compare);
    auto old = poisoned<T>(2 * n);
    kernel<<<(n + 63) / 64, 64>>>(cells.data(), device_compare.data(), old.data(), value, n);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(old.to_host(), before);
    REQUIRE_SAME(cells.to_host(), after);
}

}  // namespace

TEST_CASE("atomicCAS swaps only what is equal", "[atomics]") {
    check_swap<unsigned short>(swap_if_equal<unsigned short>);
    check_swap<int>(swap_if_equal<int>);
    check_swap<unsigned>(swap_if_equal<unsigned>);
    check_swap<ull>(swap_if_equal<ull>);
    check_swap<int>(swap_if_equal_forms<int>);
    check_swap<unsigned>(swap_if_equal_forms<unsigned>);
    check_swap<ull>(swap_if_equal_forms<ull>);
}

// ------------------------------------------------------------------------------------------------- many at one address

namespace {

struct Totals {
    int sum, least, most, bits;
    unsigned turns, down;
    ull long_sum;
    float float_sum;
    double double_sum;
};

// Every thread on the same addresses. All sums are of whole numbers, so the order does not matter.
__global__ void gather(Totals* totals, unsigned* tickets, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int value = static_cast<int>(i * 7919u % n) - 1000;
    atomicAdd(&totals->sum, value);
    atomicMin(&totals->least, value);
    atomicMax(&totals->most, value);
    atomicXor(&totals->bits, value);
    atomicInc(&totals->turns, 9);
    atomicDec(&totals->down, 12);
    atomicAdd(&totals->float_sum, 1.0f);
    atomicAdd(&totals->double_sum, 0.5);
    tickets[i] = static_cast<unsigned>(atomicAdd(&totals->long_sum, 1ull));
}

__global__ void gather_vectors(float2* pair, float4* four) {
    atomicAdd(pair, make_float2(1, 2));
    atomicAdd_block(pair, make_float2(0, 0));
    atomicAdd(four, make_float4(1, 2, 3, 4));
    atomicAdd_system(four, make_float4(0, 0, 0, 1));
}

__global__ void count_bytes(const unsigned char* data, unsigned n, unsigned* histogram) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], 1u);
    __syncthreads();
    atomicAdd(&histogram[threadIdx.x], mine[threadIdx.x]);
}

// One thread of each block goes through a lock many times. What the lock guards is read and written by atomics whose
// results depend on one another, so that nothing can overtake anything.
__global__ void through_a_lock(int* lock, int* guarded, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        if (i % 2 == 0)
            while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
        else
            while (atomicExch(lock, 1) != 0) continue;
        const int seen = atomicAdd(guarded, 0);
        const int replaced = atomicExch(guarded, seen + 1);
        atomicExch(lock, replaced - seen);
    }
}

// A maximum of floats, which CUDA does not have: the way that its programming guide shows.
__device__ float atomic_max_float(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__global__ void largest(const float* in, unsigned n, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max_float(out, in[i]);
}

}  // namespace

TEST_CASE("no update of a contended address is lost", "[atomics]") {
    const unsigned n = GENERATE(1u, 33u, 1'000u, 100'003u);
    const Totals start{0, 1 << 30, -(1 << 30), 0, 0, 0, 0, 0, 0};
    auto device_totals = DeviceBuffer<Totals>::from_host(std::span(&start, 1));
    auto tickets = poisoned<unsigned>(n);
    gather<<<(n + 255) / 256, 256>>>(device_totals.data(), tickets.data(), n);
    CUDA_CHECK_LAUNCH();
    const Totals totals = device_totals.to_host()[0];

    Totals expected = start;
    for (unsigned i = 0; i < n; ++i) {
        const int value = static_cast<int>(i * 7919u % n) - 1000;
        expected.sum = static_cast<int>(static_cast<unsigned>(expected.sum) + value);  // wraps, as atomicAdd does
        expected.least = std::min(expected.least, value);
        expected.most = std::max(expected.most, value);
        expected.bits ^= value;
    }
    REQUIRE(totals.sum == expected.sum);
    REQUIRE(totals.least == expected.least);
    REQUIRE(totals.most == expected.most);
    REQUIRE(totals.bits == expected.bits);
    REQUIRE(totals.turns == n % 10);
    REQUIRE(totals.down == (13 - n % 13) % 13);
    REQUIRE(totals.long_sum == n);
    REQUIRE(totals.float_sum == static_cast<float>(n));
    REQUIRE(totals.double_sum == n * 0.5);

    std::vector<unsigned> order = tickets.to_host(), all(n);
    std::sort(order.begin(), order.end());
    std::iota(all.begin(), all.end(), 0u);
    REQUIRE_SAME(order, all);
}

TEST_CASE("atomicAdd of float2 and float4 adds each member", "[atomics]") {
    const float2 zero2 = make_float2(0, 0);
    const float4 zero4 = make_float4(0, 0, 0, 0);
    auto pair = DeviceBuffer<float2>::from_host(std::span(&zero2, 1));
    auto four = DeviceBuffer<float4>::from_host(std::span(&zero4, 1));
    gather_vectors<<<33, 256>>>(pair.data(), four.data());
    CUDA_CHECK_LAUNCH();
    const float n = 33 * 256;
    const float2 sum2 = pair.to_host()[0];
    const float4 sum4 = four.to_host()[0];
    REQUIRE(sum2.x == n);
    REQUIRE(sum2.y == 2 * n);
    REQUIRE(sum4.x == n);
    REQUIRE(sum4.y == 2 * n);
    REQUIRE(sum4.z == 3 * n);
    REQUIRE(sum4.w == 5 * n);
}

TEST_CASE("a histogram in shared memory", "[atomics]") {
    const auto data = random_values<unsigned char>(100'003);
    const auto device_data = DeviceBuffer<unsigned char>::from_host(data);
    std::vector<unsigned> expected(256);
    for (const unsigned char byte : data) ++expected[byte];
    auto histogram = DeviceBuffer<unsigned>::from_host(std::vector<unsigned>(256));
    count_bytes<<<17, 256>>>(device_data.data(), static_cast<unsigned>(data.size()), histogram.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(histogram.to_host(), expected);
}

TEST_CASE("a lock of atomicCAS and atomicExch lets one block in at a time", "[atomics]") {
    const std::vector<int> zeros(2);
    auto cells = DeviceBuffer<int>::from_host(zeros);
    constexpr int blocks = 5000, rounds = 20;
    through_a_lock<<<blocks, 1>>>(cells.data(), cells.data() + 1, rounds);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(cells.to_host(), (std::vector<int>{0, blocks * rounds}));
}

TEST_CASE("a loop with atomicCAS makes any operation atomic", "[atomics]") {
    const auto in = random_values<float>(10'007);
    const auto device_in = DeviceBuffer<float>::from_host(in);
    const float lowest = std::numeric_limits<float>::lowest();
    auto out = DeviceBuffer<float>::from_host(std::span(&lowest, 1));
    largest<<<40, 256>>>(device_in.data(), static_cast<unsigned>(in.size()), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(out.to_host()[0] == *std::max_element(in.begin(), in.end()));
}
