// Half of a tile synchronises in a branch. It meets the other half, which goes around, one sync() too late each time.
#include <cooperative_groups.h>
#include "../arrays.h"
namespace cg = cooperative_groups;

__global__ void halves(int* x) {
    __shared__ int values[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = threadIdx.x;
    values[i] = i;
    if (tile.thread_rank() < 8) {
        values[i] += 100;
#ifdef BROKEN
        tile.sync();  // expect: warp-mask
#endif
    }
    tile.sync();  // may: warp-mask
    x[i] = values[i ^ 8];
    tile.sync();  // may: warp-mask
    x[i] += 1;
}

int main() {
    Array<int> x(64);
    halves<<<1, 64>>>(x);
    return differs(x[8], 101);
}
