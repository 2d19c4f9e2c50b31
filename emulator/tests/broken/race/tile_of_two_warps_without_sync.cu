// Tiles of 64 threads turn their values round in shared memory. A barrier of each warp alone stands between.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void turn(const int* x, int* y) {
    __shared__ int values[256];
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    const unsigned i = threadIdx.x, begin = i - tile.thread_rank();
    values[i] = x[i];  // expect: race
#ifdef BROKEN
    cg::tiled_partition<32>(tile).sync();
#else
    tile.sync();
#endif
    y[i] = values[begin + 63 - tile.thread_rank()];  // expect: race, other
}

int main() {
    Array<int> x(256, [](int i) { return i; });
    Array<int> y(256);
    turn<<<1, 256>>>(x, y);
    return differs(y[0], 63);
}
