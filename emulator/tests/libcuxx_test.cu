// libcu++ in kernels and on the host, on a GPU and on the emulator alike.

#include <cuda/atomic>
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
    cuda::std::atomic_flag taken;
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
