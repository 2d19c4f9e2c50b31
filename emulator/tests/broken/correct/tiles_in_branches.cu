// Lanes of a tile come to sync() in two branches, time and again, and some tiles leave the loop before others.
#include <cooperative_groups.h>
#include "../arrays.h"
namespace cg = cooperative_groups;

__global__ void halves(int* x) {
    __shared__ int values[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = threadIdx.x;
    values[i] = i;
    for (int round = 0; round <= static_cast<int>(tile.meta_group_rank()); ++round) {
        if (tile.thread_rank() < 8) {
            values[i] += 100;
            tile.sync();
        } else {
            values[i] += 200;
            tile.sync();
        }
        x[i] = values[i ^ 8];
        tile.sync();
    }
    if (tile.meta_group_rank() == 1) {
        tile.sync();
        x[i] += tile.shfl_xor(1, 4);
    }
}

int main() {
    Array<int> x(64);
    halves<<<1, 64>>>(x);
    return differs(x[0] + x[16] + x[63], 208 + 425 + 455);
}
