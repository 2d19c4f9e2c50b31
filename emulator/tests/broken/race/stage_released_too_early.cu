// A stage of a pipeline is given back before it has been read.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "../arrays.h"

__global__ void sums(const int* x, int* result, int tiles) {
    __shared__ int buffer[1][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    const auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, buffer[0], x + tile * 64, sizeof(int) * 64, pipe);  // expect: race
        pipe.producer_commit();
        pipe.consumer_wait();
#ifdef BROKEN
        pipe.consumer_release();
        sum += buffer[0][63 - threadIdx.x];  // expect: race
#else
        sum += buffer[0][63 - threadIdx.x];
        pipe.consumer_release();
#endif
    }
    atomicAdd(result, sum);
}

int main() {
    Array<int> x(64 * 3, [](int i) { return i; }), result(1, 0);
    sums<<<1, 64>>>(x, result, 3);
    return differs(result[0], 192 * 191 / 2);
}
