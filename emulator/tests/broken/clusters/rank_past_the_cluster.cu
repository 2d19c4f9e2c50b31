// The last block of a cluster has no right neighbour.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void halo(const int* x, int* y, int n) {
    __shared__ int values[32];
    const auto cluster = cg::this_cluster();
    const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * 32 + t;
    values[t] = x[i];
    cluster.sync();
    const int* right = cluster.map_shared_rank(values, static_cast<int>(cluster.block_rank()) + 1);
#ifdef BROKEN
    const bool has_right = i + 1 < n;
#else
    const bool has_right = cluster.block_rank() + 1 < cluster.num_blocks();
#endif
    int after = t < 31 ? values[t + 1] : 0;
    if (t == 31 && has_right) after = right[0];  // expect: out-of-bounds
    y[i] = values[t] + after;
    cluster.sync();
}

int main() {
    Array<int> x(128, [](int i) { return i; }), y(128);
    cudaLaunchAttribute pairs{};
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim.x = 2;
    pairs.val.clusterDim.y = pairs.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 4;
    config.blockDim = 32;
    config.attrs = &pairs;
    config.numAttrs = 1;
    const int* in = x;
    int* out = y;
    check(cudaLaunchKernelEx(&config, halo, in, out, 128));
    return differs(y[31], x[31] + x[32]) || differs(y[63], x[63]);
}
