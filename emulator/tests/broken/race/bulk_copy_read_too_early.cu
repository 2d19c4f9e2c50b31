// A tile is fetched by a bulk copy, and its threads read it before they have waited for the barrier of the copy.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ alignas(16) int tile[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        const cuda::aligned_size_t<16> bytes(sizeof tile);
        cuda::device::memcpy_async_tx(tile, x, bytes, barrier);  // expect: copy-in-flight
        cuda::device::barrier_expect_tx(barrier, sizeof tile);
    }
    auto token = barrier.arrive();
#ifndef BROKEN
    barrier.wait(std::move(token));
#endif
    y[threadIdx.x] = tile[63 - threadIdx.x];  // may: copy-in-flight
#ifdef BROKEN
    barrier.wait(std::move(token));
#endif
}

int main() {
    Array<int> x(64, [](int i) { return i + 1; });
    Array<int> y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], x[63]);
}
