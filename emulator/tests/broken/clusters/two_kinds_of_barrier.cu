// Half of a block waits for the cluster, and the other half for the block.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) halves(int* y) {
    __shared__ int values[64];
    const auto cluster = cg::this_cluster();
    const int t = static_cast<int>(threadIdx.x);
    values[t] = t;
#ifdef BROKEN
    if (cluster.block_rank() == 1 && t >= 32)
        __syncthreads();  // expect: deadlock
    else
        cluster.sync();  // expect: deadlock
#else
    cluster.sync();
#endif
    y[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(values, 0)[63 - t];
    cluster.sync();
}

int main() {
    Array<int> y(128);
    halves<<<2, 64>>>(y);
    return differs(y[0], 63);
}
