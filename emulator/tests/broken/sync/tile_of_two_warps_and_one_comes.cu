// The warps of a tile of 64 threads add up what they have, and those without a value skip it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void add(const int* x, int* sum, int n) {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    const int i = static_cast<int>(threadIdx.x);
#ifdef BROKEN
    if (i >= n) return;
    const int all = cg::reduce(tile, x[i], cg::plus<int>());  // expect: deadlock
#else
    const int all = cg::reduce(tile, i < n ? x[i] : 0, cg::plus<int>());
#endif
    if (i % 64 == 0) atomicAdd(sum, all);
}

int main() {
    const int n = 96;
    Array<int> x(n, [](int i) { return i; });
    Array<int> sum(1, 0);
    add<<<1, 128>>>(x, sum, n);
    return differs(sum[0], n * (n - 1) / 2);
}
