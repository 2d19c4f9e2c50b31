// A cluster of 16 blocks, which a kernel has to allow first.
#include <cooperative_groups.h>

#include "../arrays.h"

__global__ void ranks(int* y) {
    if (threadIdx.x == 0) y[blockIdx.x] = cooperative_groups::this_cluster().block_rank();
}

int main() {
    Array<int> y(32, -1);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 16;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 32;
    config.blockDim = 32;
    config.attrs = &cluster;
    config.numAttrs = 1;
#ifndef BROKEN
    check(cudaFuncSetAttribute(ranks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
#endif
    int* to = y;
    cudaLaunchKernelEx(&config, ranks, to);  // expect: refused-launch
    return differs(y[17], 1);
}
