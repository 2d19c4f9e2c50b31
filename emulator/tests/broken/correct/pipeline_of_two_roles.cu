// A pipeline whose first warp fills the stages by copies of its own and whose other warps use them up.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "../arrays.h"

__global__ void sums(const int* x, int* result, int tiles) {
    constexpr int stages = 3, size = 32;
    __shared__ alignas(16) int buffer[stages][size];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile)
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[tile % stages][lane], x + tile * size + lane, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += buffer[tile % stages][31 - lane];
            pipe.consumer_release();
        }
    if (role == cuda::pipeline_role::consumer) atomicAdd(result, sum);
}

int main() {
    Array<int> x(32 * 8, [](int i) { return i; }), result(1, 0);
    sums<<<1, 96>>>(x, result, 8);
    return differs(result[0], 2 * 256 * 255 / 2);
}
