// A pipeline of two stages: all threads of the block copy the next tile while they use the last one.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "../arrays.h"

__global__ void sums(const int* x, int* result, int tiles) {
    constexpr int stages = 2, size = 64;
    __shared__ int buffer[stages][size];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int tile = 0, fetched = 0; tile < tiles; ++tile) {
        for (; fetched < tiles && fetched < tile + stages; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[fetched % stages], x + fetched * size, sizeof(int) * size, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += buffer[tile % stages][size - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    atomicAdd(result, sum);
}

int main() {
    Array<int> x(64 * 5, [](int i) { return i; }), result(1, 0);
    sums<<<1, 64>>>(x, result, 5);
    return differs(result[0], 320 * 319 / 2);
}
