// The copies of a stage of a block's pipeline are never committed, so that the wait for them has no end.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "../arrays.h"

__global__ void turn_round(const int* x, int* y) {
    __shared__ int tile[64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    const auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    pipeline.producer_acquire();
    cuda::memcpy_async(block, tile, x, sizeof tile, pipeline);
#ifndef BROKEN
    pipeline.producer_commit();
#endif
    pipeline.consumer_wait();  // expect: deadlock
    y[threadIdx.x] = tile[63 - threadIdx.x];
    pipeline.consumer_release();  // says: producer_commit()
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64, 0);
    turn_round<<<1, 64>>>(x, y);
    return differs(y[0], 63);
}
