// A thread gives its block what it has stored, by fences and flags for the block, and another thread there gives it to
// the other blocks, by a fence or a release for all.
#include <cuda/atomic>

#include "../arrays.h"

using InBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;
using ForAll = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void relay(int* data, int* flags, int* y) {
    __shared__ int stored;
    if (threadIdx.x == 0) stored = 0;
    __syncthreads();
    // Each block takes over from the one before it.
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0) {
            while (ForAll(flags[blockIdx.x - 1]).load(cuda::memory_order_acquire) == 0) {
            }
        }
        y[blockIdx.x] = blockIdx.x > 0 ? data[blockIdx.x - 1] : 0;
        data[blockIdx.x] = y[blockIdx.x] + 1;
        InBlock(stored).store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 40) {
        while (InBlock(stored).load(cuda::memory_order_acquire) == 0) {
        }
        ForAll(flags[blockIdx.x]).store(1, cuda::memory_order_release);
    }
}

// All threads of a block count themselves in, and the last one its block.
__global__ void last_of_all(const int* x, int* partial, int* blocks_done, int* sum) {
    __shared__ int done;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[i] = 2 * x[i];
    __threadfence_block();
    if (atomicAdd_block(&done, 1) + 1 != static_cast<int>(blockDim.x)) return;
    __threadfence();
    if (atomicAdd(blocks_done, 1) + 1 != static_cast<int>(gridDim.x)) return;
    __threadfence();
    *sum = 0;
    for (int k = 0; k < static_cast<int>(gridDim.x * blockDim.x); ++k) *sum += partial[k];
}

int main() {
    const int blocks = 4, threads = 64;
    Array<int> data(blocks), flags(blocks, 0), y(blocks);
    relay<<<blocks, threads>>>(data, flags, y);
    Array<int> x(blocks * threads, [](int i) { return i % 5; }), partial(blocks * threads), done(1, 0), sum(1);
    last_of_all<<<blocks, threads>>>(x, partial, done, sum);
    check(cudaDeviceSynchronize());
    return differs(int(y[3]), 3) || differs(int(sum[0]), 2 * 510);
}
