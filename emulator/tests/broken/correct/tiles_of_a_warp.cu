// Groups of eight lanes exchange values and synchronise themselves; every group has its own part of the array.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void sums(int* y) {
    __shared__ int cache[64];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int* mine = cache + 8 * tile.meta_group_rank();
    mine[tile.thread_rank()] = threadIdx.x;
    tile.sync();
    const int other = mine[7 - tile.thread_rank()];
    tile.sync();
    mine[tile.thread_rank()] = other;
    tile.sync();
    const int total = cg::reduce(tile, mine[tile.thread_rank()], cg::plus<int>());
    if (tile.thread_rank() == 0) y[tile.meta_group_rank()] = total + mine[7];
}

int main() {
    Array<int> y(8);
    sums<<<1, 64>>>(y);
    return differs(y[7], 532);
}
