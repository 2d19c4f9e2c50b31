// A block that has nothing to do returns, and the others of its cluster wait for it.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) sum_of_parts(const int* x, int n, int* sum) {
    __shared__ int total;
    const auto cluster = cg::this_cluster();
    const int begin = static_cast<int>(blockIdx.x) * 32, i = begin + static_cast<int>(threadIdx.x);
#ifdef BROKEN
    if (begin >= n) return;
#endif
    if (threadIdx.x == 0) total = 0;
    cluster.sync();  // expect: divergent-barrier
    if (i < n) atomicAdd(cluster.map_shared_rank(&total, 0), x[i]);
    cluster.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *sum = total;
}

int main() {
    Array<int> x(128, [](int i) { return i; }), sum(1);
    sum_of_parts<<<4, 32>>>(x, 90, sum);
    int expected = 0;
    for (int i = 0; i < 90; ++i) expected += x[i];
    return differs(sum[0], expected);
}
