// A tile of a whole warp sums up in a branch that only half of its lanes take.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void sums(const int* x, int* y) {
    const cg::thread_block block = cg::this_thread_block();
#ifdef BROKEN
    const auto tile = cg::tiled_partition<32>(block);
#else
    const auto tile = cg::tiled_partition<16>(block);
#endif
    const int t = threadIdx.x;
    if (t % 32 < 16) y[t] = cg::reduce(tile, x[t], cg::plus<int>());  // expect: warp-mask
}

int main() {
    Array<int> x(64, 1), y(64);
    sums<<<1, 64>>>(x, y);
    return differs(y[3], 16);
}
