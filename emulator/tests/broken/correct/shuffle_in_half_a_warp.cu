// The lanes of half a warp, and of a tile, reduce and scan: those at the end ask lanes outside of the mask, go on
// adding, and nobody uses their sums.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void sums(const float* x, float* result) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        float value = x[lane];
        for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0xffff, value, step);
        if (lane == 0) result[0] = value;
    } else {
        float sum = x[lane];
        for (int step = 1; step < 16; step *= 2) {
            const float other = __shfl_up_sync(0xffff0000, sum, step);
            if (lane - 16 >= step) sum += other;
        }
        result[lane] = sum;
    }
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    float value = x[lane];
    for (int step = 4; step > 0; step /= 2) value += tile.shfl_down(value, step);
    if (tile.thread_rank() == 0) result[1 + lane / 8] = value;
}

int main() {
    Array<float> x(32, [](int i) { return i; });
    Array<float> result(32, 0);
    sums<<<1, 32>>>(x, result);
    return differs(result[0], 120) || differs(result[31], 376) || differs(result[4], 220);
}
