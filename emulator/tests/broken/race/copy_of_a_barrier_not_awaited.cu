// A tile that is copied with a barrier is read by threads that have only arrived there.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int tile[64];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    if (t == 0) cuda::memcpy_async(tile, x, sizeof tile, barrier);  // expect: copy-in-flight
    auto token = barrier.arrive();
#ifndef BROKEN
    barrier.wait(std::move(token));
#endif
    y[t] = tile[63 - t];  // expect: copy-in-flight
#ifdef BROKEN
    barrier.wait(std::move(token));
#endif
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 63);
}
