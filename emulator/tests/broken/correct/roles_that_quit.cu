// The threads of a pipeline leave it when they have done their share, and others are still on their way.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "../arrays.h"

constexpr int lanes = 32, tiles = 5, stages = 2;

__global__ void sum_tiles(const int* x, int* sums) {
    __shared__ int tile[stages][lanes];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const bool produces = threadIdx.x < lanes;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                    produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const int lane = threadIdx.x % lanes;
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[i % stages][lane], x + i * lanes + lane, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[i % stages][lanes - 1 - lane];
            pipe.consumer_release();
        }
    }
    pipe.quit();
    if (!produces) sums[lane] = sum;
}

int main() {
    Array<int> x(lanes * tiles, [](int i) { return i; }), sums(lanes);
    sum_tiles<<<1, 2 * lanes>>>(x, sums);
    return differs(sums[3], tiles * (lanes - 4) + lanes * tiles * (tiles - 1) / 2);
}
