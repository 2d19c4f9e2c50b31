// Threads that wait for others in loops of their own: correct programs, which come to an end on a GPU too.

#include "device.h"
#include "testing.h"

namespace {

// The last thread of the block raises a plain flag for all the others.
__global__ void last_thread_raises_flag(volatile int* flag, int* seen) {
    if (threadIdx.x == blockDim.x - 1) {
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
    }
    seen[threadIdx.x] = *flag;
}

// Each thread waits for its right neighbour, counting as it goes.
__global__ void chain(volatile int* done, int* turns) {
    const unsigned i = threadIdx.x;
    int n = 0;
    if (i < blockDim.x - 1)
        while (done[i + 1] == 0) ++n;
    turns[i] = n;
    __threadfence();
    done[i] = 1;
}

__device__ void wait_for_all_blocks(unsigned* arrived, unsigned generation) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*static_cast<volatile unsigned*>(arrived) < generation * gridDim.x) {
        }
    }
    __syncthreads();
}

// A barrier of the whole grid, made by hand: each block adds what its neighbour had a round ago.
__global__ void rounds(unsigned* arrived, unsigned* values, int n) {
    __shared__ unsigned kept;  // stays the block's own while other blocks run on the same worker
    if (threadIdx.x == 0) kept = blockIdx.x;
    for (int round = 0; round < n; ++round) {
        const unsigned neighbour = values[(blockIdx.x + 1) % gridDim.x];
        wait_for_all_blocks(arrived, 2 * round + 1);
        if (threadIdx.x == 0) values[blockIdx.x] += neighbour + kept - blockIdx.x;
        wait_for_all_blocks(arrived, 2 * round + 2);
    }
}

// The first block waits for the last one, in a loop that calls an atomic function.
__global__ void first_waits_for_last(int* flag, int* out) {
    extern __shared__ int own[];
    own[threadIdx.x] = static_cast<int>(blockIdx.x);
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) atomicExch(flag, 1);
    if (blockIdx.x < 3)
        while (atomicAdd(flag, 0) == 0) {
        }
    atomicAdd(out, own[threadIdx.x]);
}

// Few blocks, whose first threads take long, while the others of the block and of the grid wait for them.
__global__ void slow_first_thread(volatile int* flag, unsigned* out, unsigned steps) {
    unsigned x = 1 + threadIdx.x;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        for (unsigned i = 0; i < steps; ++i) x = x * 1664525 + 1013904223;
        out[0] = x;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
    }
}

// Adds to shared memory for so long that the thread is interrupted again and again.
__global__ void long_adding(unsigned* out, volatile int* flag, unsigned n) {
    __shared__ unsigned sum;
    __shared__ float float_sum;
    if (threadIdx.x == 0) sum = 0, float_sum = 0;
    __syncthreads();
    if (threadIdx.x == 31) {
        *flag = 1;
    } else if (threadIdx.x % 2 == 0) {
        while (*flag == 0) {
        }
    }
    for (unsigned i = 0; i < n; ++i) {
        atomicAdd(&sum, 3u);
        if (i < 1024) atomicAdd(&float_sum, 1.0f);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum + static_cast<unsigned>(float_sum);
}

template <class T>
T* zeros(std::size_t n) {
    T* p = nullptr;
    REQUIRE(cudaMalloc(&p, n * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(p, 0, n * sizeof(T)) == cudaSuccess);
    return p;
}

template <class T>
std::vector<T> fetch(T* p, std::size_t n) {
    std::vector<T> values(n);
    REQUIRE(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaFree(p) == cudaSuccess);
    return values;
}

}  // namespace

TEST_CASE("a block's threads wait for a plain flag that the last one raises", "[emulator]") {
    const int n = GENERATE(2, 33, 256);
    int *flag = zeros<int>(1), *seen = zeros<int>(n);
    last_thread_raises_flag<<<1, n>>>(flag, seen);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(fetch(seen, n) == std::vector<int>(n, 1));
    cudaFree(flag);
}

TEST_CASE("each thread waits for its neighbour and counts meanwhile", "[emulator]") {
    int *done = zeros<int>(40), *turns = zeros<int>(40);
    chain<<<1, 40>>>(done, turns);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(fetch(done, 40) == std::vector<int>(40, 1));
    cudaFree(turns);
}

TEST_CASE("blocks wait for each other at a barrier made by hand", "[emulator]") {
    const int blocks = GENERATE(2, 7, 32), threads = 64, n = 5;
    unsigned *arrived = zeros<unsigned>(1), *values = zeros<unsigned>(blocks);
    std::vector<unsigned> expected(blocks), next(blocks);
    for (int i = 0; i < blocks; ++i) expected[i] = static_cast<unsigned>(i * i);
    REQUIRE(cudaMemcpy(values, expected.data(), blocks * sizeof(unsigned), cudaMemcpyHostToDevice) == cudaSuccess);
    for (int round = 0; round < n; ++round) {
        for (int i = 0; i < blocks; ++i) next[i] = expected[i] + expected[(i + 1) % blocks];
        expected = next;
    }
    rounds<<<blocks, threads>>>(arrived, values, n);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(fetch(values, blocks) == expected);
    cudaFree(arrived);
}

TEST_CASE("blocks that began first wait for the last one", "[emulator]") {
    const int blocks = 20, threads = 32;
    int *flag = zeros<int>(1), *out = zeros<int>(1);
    first_waits_for_last<<<blocks, threads, threads * sizeof(int)>>>(flag, out);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(fetch(out, 1)[0] == threads * blocks * (blocks - 1) / 2);
    cudaFree(flag);
}

TEST_CASE("a thread that takes long is waited for", "[emulator]") {
    int* flag = zeros<int>(1);
    unsigned* out = zeros<unsigned>(1);
    const unsigned steps = 400'000'000;
    unsigned expected = 1;
    for (unsigned i = 0; i < steps; ++i) expected = expected * 1664525 + 1013904223;
    slow_first_thread<<<3, 64>>>(flag, out, steps);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(fetch(out, 1)[0] == expected);
    cudaFree(flag);
}

TEST_CASE("atomic functions on shared memory stay whole when threads are interrupted", "[emulator]") {
    int* flag = zeros<int>(1);
    unsigned* out = zeros<unsigned>(1);
    const unsigned n = 3'000'000;
    long_adding<<<1, 32>>>(out, flag, n);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(fetch(out, 1)[0] == 32 * (3 * n + 1024));
    cudaFree(flag);
}
