// Each warp fetches tiles of its own: its lanes wait for their copies, and __syncwarp() does the rest.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void by_lanes(const int* x, int* y, int tiles) {
    __shared__ int buffer[2][3][32];
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    const auto fetch = [&](int i) {
        if (i < tiles) __pipeline_memcpy_async(&buffer[w][i % 3][lane], &x[64 * i + 32 * w + lane], sizeof(int));
        __pipeline_commit();
    };
    fetch(0);
    fetch(1);
    for (int i = 0; i < tiles; ++i) {
        fetch(i + 2);
        __pipeline_wait_prior(2);
        __syncwarp();
        y[64 * i + 32 * w + lane] = buffer[w][i % 3][31 - lane];
        __syncwarp();
    }
}

__global__ void together(const int* x, int* y, int tiles) {
    __shared__ alignas(16) int buffer[2][2][32];
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    cg::memcpy_async(tile, buffer[w][0], x + 32 * w, 32 * sizeof(int));
    for (int i = 0; i < tiles; ++i) {
        if (i + 1 < tiles) {
            cg::memcpy_async(tile, buffer[w][(i + 1) % 2], x + 64 * (i + 1) + 32 * w, 32 * sizeof(int));
            cg::wait_prior<1>(tile);
        } else {
            cg::wait(tile);
        }
        y[64 * i + 32 * w + lane] = buffer[w][i % 2][31 - lane];
        tile.sync();
    }
}

int main() {
    Array<int> x(64 * 5, [](int i) { return i; });
    Array<int> y(64 * 5);
    by_lanes<<<1, 64>>>(x, y, 5);
    const bool wrong = differs(y[256], 256 + 31);
    together<<<1, 64>>>(x, y, 5);
    return differs(y[288], 288 + 31) || wrong;
}
