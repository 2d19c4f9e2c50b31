// What CUDA C++ means, on a GPU and on the emulator alike: this file is built and run for both.

#include <algorithm>

#include "device.h"
#include "testing.h"

namespace {

constexpr int shared_size = 1024;

__global__ void count_visits(unsigned* visits) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    ++visits[std::size_t{block} * blockDim.x * blockDim.y * blockDim.z + thread];
}

// Each block reverses its part of the data: every thread reads what another one wrote.
__global__ void reverse_blocks(int* data) {
    __shared__ int tile[shared_size];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = data[i];
    __syncthreads();
    data[i] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_blocks_dynamic(int* data) {
    extern __shared__ int tile[];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = data[i];
    __syncthreads();
    data[i] = tile[blockDim.x - 1 - threadIdx.x];
}

// A tree sum: a barrier in every step of a loop.
__global__ void block_sums(const int* in, int* sums) {
    __shared__ int partial[shared_size], unused[3];
    partial[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x < 3) unused[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0] + unused[0];
}

// Threads from `staying` on return at once; the barrier must not wait for them.
__global__ void barrier_after_exit(int* data, unsigned staying) {
    __shared__ int value[shared_size];
    if (threadIdx.x >= staying) return;
    value[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    data[threadIdx.x] = value[(threadIdx.x + 1) % staying];
}

// PTX that reads special registers, in the ways that programs write it.
__device__ __forceinline__ unsigned lane_by_ptx() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;\n\t" : "=r"(lane)::"memory");
    return lane;
}

__global__ void special_registers(unsigned* out, int* late) {
    unsigned thread, below[2];
    unsigned long long start, end;
    __shared__ unsigned turned[96];
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(start));
    asm("mov.u32 %0, %tid.x;" : "=r"(thread));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below[1]));
    turned[thread] = lane_by_ptx() * 100 + static_cast<unsigned>(__popc(below[1]));
    asm volatile("bar.sync 0;" ::: "memory");
    out[thread] = turned[blockDim.x - 1 - thread];
    asm volatile("mov.u64 %0, %clock64;" : "=l"(end) :);
    if (end < start) *late = 1;
}

__global__ void two_clocks(long long* ticks) {
    const clock_t start = clock();
    const long long start64 = clock64();
    do {
        ticks[0] = clock64() - start64;
    } while (ticks[0] < 1'000'000);
    ticks[1] = static_cast<unsigned>(clock() - start);
}

// Its copy on the host goes when the launch is done; what a kernel's threads have is no object with a destructor.
struct Owner {
    int* p;
    explicit Owner(int* memory) : p(memory) {}
    ~Owner() { cudaFree(p); }
};

__global__ void read_owned(Owner owner, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = owner.p[i];
    owner.p = nullptr;
}

struct Pair {
    int first, second;
};

// Parameters are each thread's own: changing one is seen by nobody else.
__global__ void parameters(int* out, int n, Pair pair) {
    for (unsigned i = 0; i < threadIdx.x; ++i) ++n;
    pair.first += n;
    out += threadIdx.x;
    *out = pair.first + pair.second;
}

template <class T, int factor>
__global__ void multiply(T* values, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) values[i] *= factor;
}

__global__ void mark(int* flag, int value = 1) {
    *flag = value;
}
__global__ void mark_two(int* flag) {
    *flag = 2;
}
__global__ void __launch_bounds__(128) at_most_128(int* flag) {
    *flag = 1;
}

#define MARK(flag, value) mark<<<1, 1>>>(flag, value)

int read(const int* flag) {
    int value = 0;
    CUDA_CHECK(cudaMemcpy(&value, flag, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

}  // namespace

TEST_CASE("every thread of a grid runs once", "[emulator]") {
    const auto [grid, block] = GENERATE(table<dim3, dim3>({{dim3(1), dim3(1)},
                                                           {dim3(7), dim3(33)},
                                                           {dim3(3, 5, 2), dim3(4, 3, 2)},
                                                           {dim3(1, 1, 9), dim3(1, 1, 64)},
                                                           {dim3(1, 300), dim3(1, 1024)},
                                                           {dim3(100'003), dim3(1)}}));
    const std::size_t threads = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
    const std::vector<unsigned> zeros(threads, 0), ones(threads, 1);
    auto visits = DeviceBuffer<unsigned>::from_host(zeros);
    count_visits<<<grid, block>>>(visits.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(visits.to_host(), ones);
}

TEST_CASE("a barrier lets every thread see what the others wrote", "[emulator]") {
    const unsigned size = GENERATE(1u, 2u, 31u, 32u, 33u, 256u, 1000u, 1024u);
    constexpr unsigned blocks = 37;
    const auto in = random_values<int>(blocks * size);
    auto expected = in;
    for (unsigned b = 0; b < blocks; ++b) std::reverse(expected.begin() + b * size, expected.begin() + (b + 1) * size);
    CAPTURE(size);

    auto data = DeviceBuffer<int>::from_host(in);
    SECTION("static shared memory") {
        reverse_blocks<<<blocks, size>>>(data.data());
    }
    SECTION("dynamic shared memory") {
        reverse_blocks_dynamic<<<blocks, size, size * sizeof(int)>>>(data.data());
    }
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(data.to_host(), expected);
}

TEST_CASE("a barrier in a loop", "[emulator]") {
    const unsigned size = GENERATE(1u, 2u, 64u, 512u, 1024u);
    constexpr unsigned blocks = 100;
    std::vector<int> in(blocks * size), expected(blocks, 0);
    for (std::size_t i = 0; i < in.size(); ++i) expected[i / size] += in[i] = static_cast<int>(i % 1013);

    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto sums = poisoned<int>(blocks);
    block_sums<<<blocks, size>>>(d_in.data(), sums.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(sums.to_host(), expected);
}

TEST_CASE("a barrier does not wait for threads that have returned", "[emulator]") {
    const unsigned staying = GENERATE(1u, 5u, 32u, 250u);
    auto data = poisoned<int>(staying);
    barrier_after_exit<<<3, 256>>>(data.data(), staying);
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(staying);
    for (unsigned i = 0; i < staying; ++i) expected[i] = static_cast<int>((i + 1) % staying);
    REQUIRE_SAME(data.to_host(), expected);
}

TEST_CASE("parameters belong to each thread", "[emulator]") {
    auto out = poisoned<int>(64);
    int n = 10;
    parameters<<<1, 64>>>(out.data(), n++, Pair{1, 2});
    CUDA_CHECK_LAUNCH();
    REQUIRE(n == 11);  // Arguments are evaluated once.
    std::vector<int> expected(64);
    for (int i = 0; i < 64; ++i) expected[i] = 13 + i;
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("launches stand wherever a statement may", "[emulator]") {
    auto flag = poisoned<int>(1);

    if (flag.size() == 2)
        mark_two<<<1, 1>>>(flag.data());
    else
        mark<<<1, 1>>>(flag.data());
    REQUIRE(read(flag.data()) == 1);

    MARK(flag.data(), 5);
    REQUIRE(read(flag.data()) == 5);

    void (*kernel)(int*) = mark_two;
    kernel<<<dim3(1), dim3(1), 0, nullptr>>>(flag.data());
    REQUIRE(read(flag.data()) == 2);

    for (int i = 3; i < 6; ++i) mark<<<1, [] { return 1; }()>>>(flag.data(), std::max(i, 4));
    REQUIRE(read(flag.data()) == 5);

    multiply<int, 3><<<1,  // a block
                       32  // of a warp
                       >>>(flag.data(), 1);
    multiply<int, (2 > 1 ? 2 : 1)><<<1, 1>>>(flag.data(), 1);
    CUDA_CHECK_LAUNCH();
    REQUIRE(read(flag.data()) == 30);
}

TEST_CASE("threads do not destroy a kernel's parameters", "[emulator]") {
    const std::vector<int> data = random_values<int>(1024);
    auto out = poisoned<int>(1024);
    int* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, 1024 * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(memory, data.data(), 1024 * sizeof(int), cudaMemcpyHostToDevice));
    {
        const Owner owner(memory);
        read_owned<<<8, 128>>>(owner, out.data());
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    cudaGetLastError();  // The owner has freed what its copy had freed before.
    REQUIRE_SAME(out.to_host(), data);
}

TEST_CASE("inline PTX reads special registers", "[emulator]") {
    auto out = poisoned<unsigned>(96);
    auto late = DeviceBuffer<int>::from_host(std::vector<int>{0});
    special_registers<<<1, 96>>>(out.data(), late.data());
    CUDA_CHECK_LAUNCH();
    std::vector<unsigned> expected(96);
    for (unsigned i = 0; i < 96; ++i) expected[i] = (95 - i) % 32 * 101;
    REQUIRE_SAME(out.to_host(), expected);
    REQUIRE(read(late.data()) == 0);
}

TEST_CASE("clock() in a kernel ticks no slower than clock64()", "[emulator]") {
    auto ticks = poisoned<long long>(2);
    two_clocks<<<1, 1>>>(ticks.data());
    CUDA_CHECK_LAUNCH();
    const std::vector<long long> both = ticks.to_host();
    REQUIRE(both[1] >= both[0]);
}

TEST_CASE("a launch that the device cannot run is an error, and nothing runs", "[emulator]") {
    auto flag = DeviceBuffer<int>::from_host(std::vector<int>{7});
    const auto [grid, block, shared] = GENERATE(table<dim3, dim3, std::size_t>({{dim3(1), dim3(1280), 0},
                                                                                {dim3(0), dim3(1), 0},
                                                                                {dim3(1), dim3(0), 0},
                                                                                {dim3(1, 70'000), dim3(1), 0},
                                                                                {dim3(1), dim3(1, 1, 65), 0},
                                                                                {dim3(1), dim3(32, 33), 0},
                                                                                {dim3(1), dim3(1), 49 << 10}}));
    mark<<<grid, block, shared>>>(flag.data());
    REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidValue);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(read(flag.data()) == 7);
}

TEST_CASE("a block larger than the kernel's launch bounds is an error", "[emulator]") {
    auto flag = DeviceBuffer<int>::from_host(std::vector<int>{7});
    at_most_128<<<1, 129>>>(flag.data());
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
    REQUIRE(read(flag.data()) == 7);
    at_most_128<<<1, 128>>>(flag.data());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(read(flag.data()) == 1);
}
