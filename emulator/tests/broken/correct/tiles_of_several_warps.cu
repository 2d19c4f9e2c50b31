// Tiles of 64 and of 128 threads: in branches, in loops of different lengths, and with functions that order memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void work(const int* x, int* y) {
    __shared__ int values[512], sums[4];
    const auto wide = cg::tiled_partition<128>(cg::this_thread_block());
    const auto tile = cg::tiled_partition<64>(wide);
    const unsigned i = threadIdx.x, begin = i - tile.thread_rank();
    int value = x[i];
    for (unsigned round = 0; round <= i / 64; ++round) {  // each tile has another number of them
        values[i] = value;
        tile.sync();
        value = values[begin + 63 - tile.thread_rank()] + 1;
        tile.sync();
    }
    if (wide.meta_group_rank() % 2 == 0) {
        const int sum = cg::reduce(wide, value, cg::plus<int>());
        if (wide.thread_rank() == 0) sums[wide.meta_group_rank()] = sum;
        value += wide.shfl(value, 77);  // behind which all know of the sum
        value += sums[wide.meta_group_rank()] + cg::inclusive_scan(wide, 1);
    } else if (tile.any(value < 0)) {
        value = 0;
    }
    y[i] = value;
}

int main() {
    Array<int> x(512, [](int i) { return i; });
    Array<int> y(512);
    work<<<1, 512>>>(x, y);
    return differs(y[511], x[511] + 8);
}
