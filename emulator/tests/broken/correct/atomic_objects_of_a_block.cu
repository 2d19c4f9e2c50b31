// Atomic objects of block scope in shared memory: counters, a maximum and a flag that hands over a value.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "../arrays.h"

template <class T>
using InBlock = cuda::atomic<T, cuda::thread_scope_block>;

__global__ void summarise(const int* x, int* result) {
    __shared__ InBlock<int> sum, largest, flag;
    __shared__ int value;
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) {
        new (&sum) InBlock<int>(0);
        new (&largest) InBlock<int>(0);
        flag.store(0, cuda::std::memory_order_relaxed);
    }
    __syncthreads();
    sum.fetch_add(x[t], cuda::memory_order_relaxed);
    largest.fetch_max(x[t]);
    if (t == 40) {
        value = 7;
        flag.store(1, cuda::memory_order_release);
    }
    if (t == 70) {
        while (!flag.load(cuda::memory_order_acquire)) continue;
        atomicAdd(result, value);
    }
    __syncthreads();
    if (t == 5) atomicAdd(result, sum + largest);
}

int main() {
    Array<int> x(96, [](int i) { return i; }), result(1, 0);
    summarise<<<2, 96>>>(x, result);
    return differs(result[0], 2 * (96 * 95 / 2 + 95 + 7));
}
