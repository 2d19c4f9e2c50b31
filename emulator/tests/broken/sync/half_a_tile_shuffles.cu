// Half of a tile waits in a branch for the other half, which has gone on to a shuffle.
#include <cooperative_groups.h>
#include "../arrays.h"
namespace cg = cooperative_groups;

__global__ void sums(int* x) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int value = threadIdx.x;
    if (tile.thread_rank() >= 4) {
        value *= 2;
#ifdef BROKEN
        tile.sync();  // expect: warp-mask
#endif
    }
    for (int i = 4; i > 0; i /= 2) value += tile.shfl_xor(value, i);  // may: warp-mask
    x[threadIdx.x] = value;
}

int main() {
    Array<int> x(32);
    sums<<<1, 32>>>(x);
    return differs(x[0], 50);
}
