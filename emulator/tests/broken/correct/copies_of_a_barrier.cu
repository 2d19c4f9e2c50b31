// One thread copies for all, and who waits for the barrier waits for the copy; then thread 0 tells the next block.
#include <cuda/atomic>
#include <cuda/barrier>

#include "../arrays.h"

__global__ void sums(const int* x, int* copies, int* flags, int* result) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ Barrier barrier;
    __shared__ int tile[64];
    const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x), block = static_cast<int>(blockIdx.x);
    if (t == 0) init(&barrier, n);
    __syncthreads();
    if (t == 5) cuda::memcpy_async(tile, x + block * n, cuda::aligned_size_t<4>(sizeof tile), barrier);
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
    copies[block * n + t] = tile[n - 1 - t];
    barrier.arrive_and_wait();
    if (t == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device>(flags[block]).store(1, cuda::memory_order_release);
        if (block > 0) {
            cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[block - 1]);
            while (before.load(cuda::memory_order_acquire) == 0) continue;
            int sum = 0;
            for (int i = 0; i < n; ++i) sum += copies[(block - 1) * n + i];
            atomicAdd(result, sum);
        }
    }
}

int main() {
    Array<int> x(64 * 3, [](int i) { return i; }), copies(64 * 3), flags(3, 0), result(1, 0);
    sums<<<3, 64>>>(x, copies, flags, result);
    return differs(result[0], 128 * 127 / 2);
}
