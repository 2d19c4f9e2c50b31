// Each thread has a pipeline of its own for what it copies, and hands it on behind a barrier.
#include <cuda/pipeline>

#include "../arrays.h"

__global__ void shift(const int* x, int* y, int tiles) {
    __shared__ int buffer[2][64];
    auto pipe = cuda::make_pipeline();
    const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
    for (int tile = 0; tile <= tiles; ++tile) {
        if (tile < tiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[tile % 2][t], x + tile * n + t, sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (tile == 0) continue;
        if (tile < tiles)
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        y[(tile - 1) * n + t] = buffer[(tile - 1) % 2][(t + 1) % n];
        pipe.consumer_release();
        __syncthreads();
    }
}

int main() {
    Array<int> x(64 * 4, [](int i) { return i; }), y(64 * 4);
    shift<<<1, 64>>>(x, y, 4);
    return differs(y[70], 71);
}
