// Measures the best rates that we know how to reach: how fast memory, the L2 cache and shared memory are read, and how
// fast blocks and kernels start. ./lab count works out floors of times with these rates. So the best of several samples
// counts, not their median.

#include <algorithm>
#include <functional>
#include <numeric>

#include "common/capability.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/timer.h"
#include "common/verify.h"
#include "query.h"
#include "text.h"

namespace device_query {
namespace {

constexpr std::size_t MiB = 1u << 20;
constexpr int block_size = 512;
constexpr int samples = 9;

double shortest(const std::function<void()>& work) {
    double least = gpu_seconds(work, {.repeats = 1});
    for (int i = 1; i < samples; ++i) least = std::min(least, gpu_seconds(work, {.repeats = 1}));
    return least;
}

int blocks_at_once() {
    int device = 0, multiprocessors = 0, threads = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    return multiprocessors * (threads / block_size);
}

__device__ unsigned sum_of(const uint4& word) {
    return word.x + word.y + word.z + word.w;
}

// Adds up n words of 16 bytes, past the L1 cache: each group of `readers` blocks asks the L2 cache for all of them.
__global__ void read(const uint4* words, std::size_t n, unsigned readers, unsigned* sums) {
    constexpr int in_flight = 8;
    const std::size_t threads = std::size_t{readers} * blockDim.x;
    std::size_t i = blockIdx.x % readers * std::size_t{blockDim.x} + threadIdx.x;
    unsigned sum = 0;
    for (; i + (in_flight - 1) * threads < n; i += in_flight * threads) {
        uint4 loaded[in_flight];
        for (int k = 0; k < in_flight; ++k) loaded[k] = __ldcg(&words[i + k * threads]);
        for (int k = 0; k < in_flight; ++k) sum += sum_of(loaded[k]);
    }
    for (; i < n; i += threads) sum += sum_of(__ldcg(&words[i]));
    sums[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sum;
}

// Bytes per second, of `groups` of blocks. Each byte is 1, so the sum follows from their number.
double reading_rate(std::size_t bytes, unsigned readers, unsigned groups) {
    DeviceBuffer<uint4> words(bytes / sizeof(uint4));
    CUDA_CHECK(cudaMemset(words.data(), 1, bytes));
    DeviceBuffer<unsigned> sums(std::size_t{groups} * readers * block_size);
    sums.poison();
    const double seconds = shortest([&] {
        read<<<groups * readers, block_size>>>(words.data(), words.size(), readers, sums.data());
        CUDA_CHECK_LAUNCH();
    });
    const std::vector<unsigned> parts = sums.to_host();
    const unsigned sum = std::accumulate(parts.begin(), parts.end(), 0u);
    const auto expected = static_cast<unsigned>(bytes / sizeof(unsigned) * groups * 0x01010101u);
    require_same<unsigned>("the sum of what was read", std::vector{sum}, std::vector{expected});
    return static_cast<double>(bytes) * groups / seconds;
}

// Each thread loads 16 bytes over and over, a warp 512 without a bank conflict. What it loads says what comes next, or
// the compiler would load only once.
__global__ void read_shared(int steps, unsigned* ends) {
    __shared__ uint4 words[2 * block_size];
    words[threadIdx.x] = words[threadIdx.x + block_size] = {1, 1, 1, 1};
    __syncthreads();
    unsigned i = threadIdx.x;
    for (int step = 0; step < steps; ++step) i = (i + 8 * sum_of(words[i])) % (2 * block_size);
    ends[blockIdx.x * blockDim.x + threadIdx.x] = i;
}

// Bytes per second.
double reading_rate_of_shared_memory() {
    const int steps = on_emulator() ? 64 : 1 << 15;
    DeviceBuffer<unsigned> ends(static_cast<std::size_t>(blocks_at_once()) * block_size);
    ends.poison();
    const double seconds = shortest([&] {
        read_shared<<<blocks_at_once(), block_size>>>(steps, ends.data());
        CUDA_CHECK_LAUNCH();
    });
    std::vector<unsigned> expected(ends.size());
    for (unsigned i = 0; i < expected.size(); ++i) expected[i] = (i % block_size + 32u * steps) % (2 * block_size);
    require_same<unsigned>("the walk through shared memory", ends.to_host(), expected);
    return static_cast<double>(sizeof(uint4)) * steps * ends.size() / seconds;
}

// All add to one number. It has 64 bits, and each lane adds another one: else the compiler would first add up what a
// warp brings.
__global__ void add_lanes(unsigned long long* sum) {
    atomicAdd(sum, static_cast<unsigned long long>(threadIdx.x));
}

// Seconds from one atomic operation to the next at the same address.
double atomic_at_one_address() {
    const unsigned blocks = on_emulator() ? 4 : 1 << 16, threads = blocks * block_size;
    DeviceBuffer<unsigned long long> sum(1);
    CUDA_CHECK(cudaMemset(sum.data(), 0, sizeof(unsigned long long)));
    unsigned long long launches = 0;
    const double seconds = shortest([&] {
        add_lanes<<<blocks, block_size>>>(sum.data());
        CUDA_CHECK_LAUNCH();
        ++launches;
    });
    require_same<unsigned long long>("the sum by atomic operations", sum.to_host(),
                                     std::vector{launches * blocks * (block_size * (block_size - 1ull) / 2)});
    return seconds / threads;
}

__global__ void empty() {}

__global__ void wait(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

// Seconds from one block of a grid to the next.
double start_of_a_block() {
    const int blocks = on_emulator() ? 1 << 10 : 1 << 28;
    return shortest([&] {
               empty<<<blocks, 1>>>();
               CUDA_CHECK_LAUNCH();
           }) /
           blocks;
}

// Seconds from one empty kernel to the next. The host would take longer to launch them: so all are in the queue, behind
// a kernel that waits, before the first one starts.
double start_of_a_kernel() {
    const int launches = on_emulator() ? 10 : 500, cycles = on_emulator() ? 1 : 20'000'000;
    cudaEvent_t first = nullptr, last = nullptr;
    CUDA_CHECK(cudaEventCreate(&first));
    CUDA_CHECK(cudaEventCreate(&last));
    float least = 0;
    for (int i = 0; i < samples; ++i) {
        wait<<<1, 1>>>(cycles);
        CUDA_CHECK(cudaEventRecord(first));
        for (int k = 0; k < launches; ++k) empty<<<1, 1>>>();
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaEventRecord(last));
        CUDA_CHECK(cudaEventSynchronize(last));
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, first, last));
        least = i == 0 ? milliseconds : std::min(least, milliseconds);
    }
    CUDA_CHECK(cudaEventDestroy(first));
    CUDA_CHECK(cudaEventDestroy(last));
    return 1e-3 * least / launches;
}

Line rate(const std::string& key, const std::string& label, double bytes_per_second) {
    return {key, label, rounded(bytes_per_second / 1e9) + " GB/s", bytes_per_second / 1e9};
}

Line nanoseconds(const std::string& key, const std::string& label, double seconds) {
    return {key, label, rounded(seconds * 1e9) + " ns", seconds * 1e9};
}

}  // namespace

std::vector<Line> ceilings() {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    // The highest rate of several sizes. On the emulator, whose rates say nothing about a GPU, a small one will do.
    double memory = 0, l2 = 0;
    for (const std::size_t size : {2048, 4096, 8192})
        memory = std::max(
            memory, reading_rate(on_emulator() ? MiB : std::min(size, free / 2 / MiB) * MiB, blocks_at_once(), 1));
    // Of the L2 cache, several groups read at once: what two multiprocessors ask for at about the same time is fetched
    // from its farther half only once.
    for (const std::size_t size : {4, 8, 16, 32})
        l2 = std::max(l2, reading_rate(on_emulator() ? MiB : size * MiB, 16, on_emulator() ? 1 : 16384 / size));
    return {rate("reading_global_memory_gb_per_s", "Reading global memory", memory),
            rate("reading_the_l2_cache_gb_per_s", "Reading the L2 cache", l2),
            rate("reading_shared_memory_gb_per_s", "Reading shared memory", reading_rate_of_shared_memory()),
            nanoseconds("atomic_at_one_address_ns", "Atomics at one address", atomic_at_one_address()),
            nanoseconds("start_of_a_block_ns", "From block to block", start_of_a_block()),
            nanoseconds("start_of_a_kernel_ns", "From kernel to kernel", start_of_a_kernel())};
}

}  // namespace device_query
