// Tiles are copied in the background, by the block and by each thread, and waited for.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void reverse(const int* x, int* y) {
    __shared__ int tile[64], mine[64];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    for (int i = 0; i < 3; ++i) {
        cg::memcpy_async(block, tile, x + 64 * i, sizeof tile);
        __pipeline_memcpy_async(&mine[t], &x[64 * i + t], sizeof(int));
        __pipeline_commit();
        cg::wait(block);
        __pipeline_wait_prior(0);
        y[64 * i + t] = tile[63 - t] + mine[t];
        block.sync();
    }
}

int main() {
    Array<int> x(192, [](int i) { return i; });
    Array<int> y(192);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 63) || differs(y[191], 319);
}
