// libcu++ in kernels and on the host, on a GPU and on the emulator alike.

#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cuda/barrier>
#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/memory>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/stream_ref>
#include <nv/target>
#include <thread>

#include "device.h"
#include "testing.h"

namespace {

template <class T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

struct Pair {
    short first, second;
};

// What each operation returns and leaves behind, by one thread or by the host.
template <class T>
__host__ __device__ int count_wrong_operations(T* memory) {
    using cuda::memory_order_relaxed;
    int wrong = 0;
    *memory = 6;
    const Ref<T> x(*memory);
    wrong += x.load() != T(6) || T(x) != T(6);
    x.store(5, memory_order_relaxed);
    wrong += x.exchange(7) != T(5) || x.load(cuda::memory_order_acquire) != T(7);
    T expected = 3;
    wrong += x.compare_exchange_strong(expected, 9) || expected != T(7);
    wrong += !x.compare_exchange_strong(expected, 9, cuda::memory_order_acq_rel, memory_order_relaxed);
    wrong += x.fetch_add(3) != T(9) || x.fetch_sub(2, memory_order_relaxed) != T(12);
    wrong += x.fetch_max(20) != T(10) || x.fetch_min(4) != T(20);
    if constexpr (std::is_integral_v<T>) {
        wrong += x.fetch_or(3) != T(4) || x.fetch_and(6) != T(7) || x.fetch_xor(1) != T(6) || x.load() != T(7);
        wrong += x++ != T(7) || ++x != T(9) || x-- != T(9) || --x != T(7);
        wrong += (x |= 8) != T(15) || (x &= 12) != T(12) || (x ^= 5) != T(9);
    }
    *memory = 1;
    wrong += (x += 4) != T(5) || (x -= 2) != T(3) || *memory != T(3);
    return wrong;
}

__host__ __device__ int count_wrong_others(Pair* pair, int** pointer) {
    int wrong = 0;
    cuda::atomic<int*, cuda::thread_scope_block> p(*pointer);
    wrong += p.fetch_add(3) != *pointer || p.load() != *pointer + 3 || p-- != *pointer + 3 || p != *pointer + 2;
    cuda::std::atomic<bool> flag(false);
    wrong += flag.exchange(true) || !flag || flag.is_lock_free() != true;
    cuda::std::atomic_flag taken{};
    wrong += taken.test_and_set() || !taken.test_and_set(cuda::std::memory_order_acquire);
    taken.clear();
    wrong += taken.test();
    *pair = {1, 2};
    cuda::atomic_ref<Pair> both(*pair);
    both.store({3, 4});
    wrong += both.load().first != 3 || both.exchange({5, 6}).second != 4 || pair->first != 5;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
    cuda::std::atomic_thread_fence(cuda::std::memory_order_release);
    return wrong;
}

struct Values {
    int i;
    unsigned u;
    long long l;
    unsigned long long ul;
    float f;
    double d;
    Pair pair;
    int* pointer;
};

__host__ __device__ int count_wrong(Values& v) {
    return count_wrong_operations(&v.i) + count_wrong_operations(&v.u) + count_wrong_operations(&v.l) +
           count_wrong_operations(&v.ul) + count_wrong_operations(&v.f) + count_wrong_operations(&v.d) +
           count_wrong_others(&v.pair, &v.pointer);
}

__global__ void operations(Values* values, int* wrong) {
    values->pointer = wrong;
    *wrong = count_wrong(*values);
}

// The last thread wakes the others, each of which wakes one of the next block.
__global__ void wake(cuda::atomic<int, cuda::thread_scope_device>* flags, int* values) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> awake;
    if (threadIdx.x == 0) awake = 0;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        if (blockIdx.x > 0) flags[blockIdx.x - 1].wait(0, cuda::memory_order_acquire);
        values[blockIdx.x] = blockIdx.x == 0 ? 1 : values[blockIdx.x - 1] + 1;
        awake.store(1, cuda::memory_order_release);
        awake.notify_all();
    } else {
        awake.wait(0);
        while (awake.load(cuda::memory_order_relaxed) == 0) {
        }
        if (threadIdx.x == 0) flags[blockIdx.x].store(values[blockIdx.x], cuda::memory_order_release);
    }
}

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> counter{3};

__global__ void count(unsigned* tickets) {
    tickets[blockIdx.x * blockDim.x + threadIdx.x] = counter.fetch_add(1, cuda::memory_order_relaxed);
}

}  // namespace

TEST_CASE("atomic operations of libcu++", "[emulator][libcu++]") {
    Values on_host{};
    int number = 0;
    on_host.pointer = &number;
    REQUIRE(count_wrong(on_host) == 0);

    DeviceBuffer<Values> values(1);
    auto wrong = poisoned<int>(1);
    operations<<<1, 1>>>(values.data(), wrong.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(wrong.to_host(), std::vector<int>{0});
}

TEST_CASE("threads wait for atomic objects of libcu++", "[emulator][libcu++]") {
    constexpr int blocks = 9;
    const auto flags = DeviceBuffer<int>::from_host(std::vector<int>(blocks, 0));
    auto values = poisoned<int>(blocks);
    wake<<<blocks, 70>>>(reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device>*>(flags.data()), values.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(blocks);
    for (int i = 0; i < blocks; ++i) expected[i] = i + 1;
    REQUIRE_SAME(values.to_host(), expected);

    cuda::std::atomic<int> turn(0);
    std::thread other([&] { turn = 1; });
    turn.wait(0);
    other.join();
    REQUIRE(turn == 1);
}

TEST_CASE("an atomic variable of the device", "[emulator][libcu++]") {
    constexpr unsigned n = 5 * 33;
    auto tickets = poisoned<unsigned>(n);
    count<<<5, 33>>>(tickets.data());
    CUDA_CHECK_LAUNCH();
    std::vector<unsigned> given = tickets.to_host(), expected(n);
    std::sort(given.begin(), given.end());
    for (unsigned i = 0; i < n; ++i) expected[i] = i + 3;
    REQUIRE_SAME(given, expected);
}

namespace {

// Values of each thread are read by another one, phase by phase; in each phase one more thread has left.
__global__ void leave_one_by_one(int* sums, int* completions) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[64];
    const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
    if (t == 0) init(&barrier, n);
    __syncthreads();
    int sum = 0;
    for (int left = n; left > 1; --left) {
        if (t >= left) break;
        values[t] = t + left;
        (void)barrier.arrive();  // in a phase of parity 0, which the one behind it makes come again
        while (!barrier.try_wait_parity_for(false, cuda::std::chrono::microseconds(1))) {
        }
        sum += values[left - 1 - t];
        if (t == left - 1)
            barrier.arrive_and_drop();
        else
            barrier.arrive_and_wait();
    }
    sums[blockIdx.x * n + t] = sum;
    if (blockIdx.x == 0 && t == 0) *completions = static_cast<int>(barrier.max() > 1000);
}

// The threads of all blocks meet at a barrier in device memory.
using GridBarrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void meet(GridBarrier* barrier, int* values, int* sums) {
    const unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 1; round <= 3; ++round) {
        values[i] = static_cast<int>(i + round);
        barrier->arrive_and_wait();
        sums[i] += values[n - 1 - i];
        barrier->arrive_and_wait();
    }
}

__global__ void initialise(GridBarrier* barrier, int n) {
    init(barrier, n);
}

// A tile of odd size and place, copied by the block, by one thread, and in bytes that a barrier is told to expect.
__global__ void copy_in_three_ways(const char* from, char* to, unsigned bytes) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ alignas(16) char tile[3][512];
    const auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, tile[0] + 1, from + 1, bytes, barrier);
    if (threadIdx.x == 1) {
        cuda::memcpy_async(tile[1], from, cuda::aligned_size_t<16>(256), barrier);
        barrier.wait(barrier.arrive());
    } else {
        barrier.arrive_and_wait();
    }
    for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) {
        to[i] = i >= 1 && i < 1 + bytes ? tile[0][i] : 0;
        to[512 + i] = i < 256 ? tile[1][i] : 0;
    }
}

// Stages of a pipeline of all threads, of two roles by number, and of each thread.
template <int kind>
__global__ void through_a_pipeline(const int* from, int* to, int tiles) {
    constexpr int stages = 3, size = 64;
    __shared__ int buffer[stages][size];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const auto block = cooperative_groups::this_thread_block();
    const int t = static_cast<int>(threadIdx.x);
    if constexpr (kind == 0) {
        auto pipe = cuda::make_pipeline(block, &state);
        for (int tile = 0, next = 0; tile < tiles; ++tile) {
            for (; next < tiles && next < tile + stages; ++next) {
                pipe.producer_acquire();
                cuda::memcpy_async(block, buffer[next % stages], from + next * size, size * sizeof(int), pipe);
                pipe.producer_commit();
            }
            pipe.consumer_wait();
            to[tile * size + t] = buffer[tile % stages][size - 1 - t];
            pipe.consumer_release();
        }
    } else {
        auto pipe = cuda::make_pipeline(block, &state, 32);  // the first warp copies, two others take
        for (int tile = 0; tile < tiles; ++tile)
            if (t < 32) {
                pipe.producer_acquire();
                for (int i = t; i < size; i += 32)
                    cuda::memcpy_async(&buffer[tile % stages][i], &from[tile * size + i], sizeof(int), pipe);
                pipe.producer_commit();
            } else {
                pipe.consumer_wait();
                to[tile * size + t - 32] = buffer[tile % stages][size - 1 - (t - 32)];
                pipe.consumer_release();
            }
    }
}

// One thread of each block is the last one to leave.
__global__ void leave_a_pipeline(int* last) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    for (int round = 0; round < 3; ++round) {
        {
            auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
            if (round != 1 && pipe.quit()) atomicAdd(&last[blockIdx.x], 1);
        }  // In round 1 the destructor leaves it.
        __syncthreads();
    }
}

// At most two threads at a time are between acquire() and release().
__global__ void two_at_a_time(int* most, int* all) {
    using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 2>;
    using Latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(Semaphore) char semaphores[sizeof(Semaphore)];
    __shared__ alignas(Latch) char latches[sizeof(Latch)];
    __shared__ int inside;
    auto* const semaphore = reinterpret_cast<Semaphore*>(semaphores);
    auto* const latch = reinterpret_cast<Latch*>(latches);
    if (threadIdx.x == 0) {
        new (semaphore) Semaphore(2);
        new (latch) Latch(blockDim.x);
        inside = 0;
    }
    __syncthreads();
    semaphore->acquire();
    atomicMax(most, atomicAdd(&inside, 1) + 1);
    __nanosleep(10);
    atomicSub(&inside, 1);
    semaphore->release();
    latch->count_down();
    if (threadIdx.x == 7) {
        latch->wait();
        *all = semaphore->try_acquire() + semaphore->try_acquire() + semaphore->try_acquire();
    }
}

}  // namespace

TEST_CASE("barriers of libcu++", "[emulator][libcu++]") {
    constexpr int n = 64, blocks = 3;
    auto sums = poisoned<int>(blocks * n), flag = poisoned<int>(1);
    leave_one_by_one<<<blocks, n>>>(sums.data(), flag.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(blocks * n, 0);
    for (int i = 0; i < blocks * n; ++i)
        for (int left = n; left > 1 && i % n < left; --left) expected[i] += left - 1 - i % n + left;
    REQUIRE_SAME(sums.to_host(), expected);

    const DeviceBuffer<GridBarrier> barrier(1);
    auto values = poisoned<int>(4 * 32);
    const auto grid_sums = DeviceBuffer<int>::from_host(std::vector<int>(4 * 32, 0));
    initialise<<<1, 1>>>(barrier.data(), 4 * 32);
    meet<<<4, 32>>>(barrier.data(), values.data(), grid_sums.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> met(4 * 32);
    for (int i = 0; i < 4 * 32; ++i) met[i] = 3 * (127 - i) + 6;
    REQUIRE_SAME(grid_sums.to_host(), met);

    // On the host, with something to do when all have come.
    int completions = 0, seen[2] = {};
    const auto count = [&]() noexcept { ++completions; };
    cuda::std::barrier<decltype(count)> on_host(2, count);
    const auto rounds = [&](int which) {
        for (int i = 0; i < 10; ++i) {
            on_host.arrive_and_wait();
            seen[which] += completions;
            on_host.arrive_and_wait();
        }
    };
    std::thread other(rounds, 1);
    rounds(0);
    other.join();
    REQUIRE((completions == 20 && seen[0] == 100 && seen[1] == 100));
}

TEST_CASE("asynchronous copies of libcu++", "[emulator][libcu++]") {
    const auto bytes = random_values<char>(512);
    const auto from = DeviceBuffer<char>::from_host(bytes);
    auto to = poisoned<char>(1024);
    const unsigned size = GENERATE(0u, 1u, 31u, 256u, 500u);
    copy_in_three_ways<<<1, 96>>>(from.data(), to.data(), size);
    CUDA_CHECK_LAUNCH();
    std::vector<char> expected(1024, 0);
    std::copy_n(bytes.begin() + 1, size, expected.begin() + 1);
    std::copy_n(bytes.begin(), 256, expected.begin() + 512);
    REQUIRE_SAME(to.to_host(), expected);
}

TEST_CASE("pipelines of libcu++", "[emulator][libcu++]") {
    const int tiles = GENERATE(1, 2, 3, 10);
    const auto values = random_values<int>(64 * tiles);
    const auto from = DeviceBuffer<int>::from_host(values);
    std::vector<int> expected(values.size());
    for (int i = 0; i < 64 * tiles; ++i) expected[i] = values[i / 64 * 64 + 63 - i % 64];
    auto to = poisoned<int>(values.size());
    through_a_pipeline<0><<<1, 64>>>(from.data(), to.data(), tiles);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(to.to_host(), expected);
    to.poison();
    through_a_pipeline<1><<<1, 96>>>(from.data(), to.data(), tiles);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(to.to_host(), expected);

    const auto last = DeviceBuffer<int>::from_host(std::vector<int>(2, 0));
    leave_a_pipeline<<<2, 96>>>(last.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(last.to_host(), std::vector<int>(2, 2));
}

TEST_CASE("latches and semaphores of libcu++", "[emulator][libcu++]") {
    const auto most = DeviceBuffer<int>::from_host(std::vector<int>{0});
    auto all = poisoned<int>(1);
    two_at_a_time<<<1, 80>>>(most.data(), all.data());
    CUDA_CHECK_LAUNCH();
    const int at_once = most.to_host()[0];
    REQUIRE((at_once == 1 || at_once == 2));
    REQUIRE(all.to_host()[0] == 2);
    cuda::std::latch done(2);
    std::thread other([&] { done.count_down(); });
    done.arrive_and_wait();
    other.join();
    REQUIRE(done.try_wait());
}

namespace {

// Types and functions of the standard library in a kernel: one number of all of them.
__host__ __device__ double standard_library(cuda::std::span<const int> values) {
    namespace std_ = cuda::std;
    std_::array<int, 4> four{1, 2, 3, 4};
    const auto pair = std_::make_tuple(values.size(), 2.5);
    std_::optional<int> nothing, something = values[1];
    const std_::complex<float> z = std_::complex<float>(1, 2) * std_::complex<float>(3, -1);
    double sum = four[2] + static_cast<double>(std_::get<0>(pair)) + std_::get<1>(pair);
    sum += nothing.value_or(7) + something.value() + z.real() + z.imag();
    sum += std_::popcount(0xf0fu) + std_::countl_zero(std_::uint32_t{1}) + std_::bit_cast<int>(1.0f) / 1e9;
    sum += std_::numeric_limits<short>::max() + std_::max(3, 5) + std_::plus<>()(1, 2);
    sum += std_::is_same_v<std_::remove_cv_t<const int>, int> + cuda::ceil_div(10, 4) + cuda::ilog2(1u << 31 | 5) - 31;
    for (const int value : values.subspan(1)) sum += value;
    sum += cuda::proclaim_return_type<double>([](int x) { return x * 0.5; })(3);
    return sum;
}

__global__ void use_standard_library(const int* values, unsigned n, double* result) {
    *result = standard_library({values, n});
}

}  // namespace

TEST_CASE("the standard library of libcu++", "[emulator][libcu++]") {
    const std::vector<int> values{4, 5, 6};
    const double expected = 3 + 3 + 2.5 + 7 + 5 + 5 + 5 + 8 + 31 + 1.065353216 + 32767 + 5 + 3 + 1 + 3 + 11 + 1.5;
    REQUIRE(std::abs(standard_library({values.data(), values.size()}) - expected) < 1e-9);
    const auto on_device = DeviceBuffer<int>::from_host(values);
    auto result = poisoned<double>(1);
    use_standard_library<<<1, 1>>>(on_device.data(), 3, result.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(std::abs(result.to_host()[0] - expected) < 1e-9);
}

namespace {

using Matrix = cuda::std::mdspan<int, cuda::std::dextents<int, 2>>;
using Columns = cuda::std::mdspan<int, cuda::std::extents<int, cuda::std::dynamic_extent, 17>, cuda::std::layout_left>;
using Strided = cuda::std::mdspan<const int, cuda::std::dextents<int, 2>, cuda::std::layout_stride>;

__global__ void move_elements(Matrix from, Matrix turned, Columns columns, Strided every_second) {
    const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= from.extent(0) || column >= from.extent(1)) return;
    turned(column, row) = from(row, column);
    columns[cuda::std::array<int, 2>{row, column}] = row < every_second.extent(0) ? every_second(row, column) : -1;
}

// Where it runs, and what a device of compute capability 9.0 takes.
__host__ __device__ int where() {
    NV_IF_TARGET(NV_IS_HOST, (return 1;), (return 2;))
}
__host__ __device__ int choose(unsigned x) {
    int result = 0;
    NV_DISPATCH_TARGET(NV_PROVIDES_SM_100, (asm("tcgen05.fence::before_thread_sync;"); result = 100;),  //
                       NV_NO_TARGET, (result = 1000;),                                                  //
                       NV_PROVIDES_SM_90, (int a = 90, b = __popc(x); result = a + b;),                 //
                       NV_IS_DEVICE, (result = 10;),                                                    //
                       NV_IS_HOST, (result = 5;))
    NV_IF_TARGET(NV_IS_DEVICE, (NV_IF_TARGET(NV_PROVIDES_SM_80, (result += 1000;), (result += 2000;))))
    NV_IF_ELSE_TARGET(NV_ANY_TARGET, (result += 10000;), (result = 0;))
    return result;
}
__host__ __device__ constexpr int constant(int x) {
    NV_IF_TARGET(NV_NO_TARGET, (x += 1;))
    return x;
}
// Parentheses around the code may be left out. (clang-format would take it for arguments.)
// clang-format off
__host__ __device__ float without_parentheses(float x) {
    NV_IF_TARGET(NV_IS_DEVICE, x += 1; x *= 2;)
    NV_IF_ELSE_TARGET(NV_IS_HOST, x += 10; , asm("rsqrt.approx.f32.ftz %0, %1;" : "=f"(x) : "f"(x));)
    NV_IF_ELSE_TARGET(NV_NO_TARGET, , x += 0.25f;)
    NV_DISPATCH_TARGET(NV_IS_HOST, x += 3; x *= 2; , NV_ANY_TARGET, if (x > 0) { x += 5; })
    return x;
}
// clang-format on
__global__ void ask(int* results, float* result) {
    results[0] = where();
    results[1] = choose(0xf0f);
    results[2] = constant(3);
    *result = without_parentheses(7);
}

}  // namespace

TEST_CASE("mdspan of libcu++", "[emulator][libcu++]") {
    constexpr int rows = 35, columns = 17;
    const auto values = random_values<int>(rows * columns);
    auto from = DeviceBuffer<int>::from_host(values);
    auto turned = poisoned<int>(rows * columns), by_columns = poisoned<int>(rows * columns);
    const Matrix matrix(from.data(), rows, columns);
    const Strided every_second(from.data(), cuda::std::layout_stride::mapping<cuda::std::dextents<int, 2>>(
                                                cuda::std::dextents<int, 2>((rows + 1) / 2, columns),
                                                cuda::std::array<int, 2>{2 * columns, 1}));
    REQUIRE(matrix.size() == rows * columns);
    REQUIRE(matrix.stride(0) == columns);
    REQUIRE(Columns::rank_dynamic() == 1);
    REQUIRE((every_second.mapping().required_span_size() == rows * columns && !every_second.is_exhaustive()));
    REQUIRE(cuda::std::mdspan(from.data(), 5, 7).extents() == cuda::std::extents<int, 5, 7>());
    move_elements<<<dim3(2, 3), dim3(16, 16)>>>(matrix, Matrix(turned.data(), columns, rows),
                                                Columns(by_columns.data(), rows), every_second);
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(values.size()), expected_columns(values.size());
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            expected[column * rows + row] = values[row * columns + column];
            expected_columns[column * rows + row] = row < (rows + 1) / 2 ? values[2 * row * columns + column] : -1;
        }
    REQUIRE_SAME(turned.to_host(), expected);
    REQUIRE_SAME(by_columns.to_host(), expected_columns);
}

TEST_CASE("<nv/target> chooses between host and device", "[emulator][libcu++]") {
    static_assert(constant(3) == 3);
    REQUIRE(where() == 1);
    REQUIRE(choose(0xf0f) == 10005);
    REQUIRE(without_parentheses(7) == 40.5f);
    auto results = poisoned<int>(3);
    auto result = poisoned<float>(1);
    const cuda::stream_ref stream(cudaStreamPerThread);
    ask<<<1, 1, 0, stream.get()>>>(results.data(), result.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(result.to_host()[0] == 5.5f);
    REQUIRE_SAME(results.to_host(), (std::vector<int>{2, 90 + 8 + 1000 + 10000, 3}));
}

TEST_CASE("bits and memory of libcu++", "[emulator][libcu++]") {
    static_assert(cuda::bit_reverse(0x1u) == 0x80000000u && cuda::bit_reverse(std::uint64_t{6}) == std::uint64_t{6}
                                                                                                       << 60);
    static_assert(cuda::bitfield_extract(0xabcdu, 4, 8) == 0xbc &&
                  cuda::bitfield_insert(0xabcdu, 0x1fu, 4, 4) == 0xabfd);
    int x = 5;
    REQUIRE(cuda::std::addressof(x) == &x);
}
