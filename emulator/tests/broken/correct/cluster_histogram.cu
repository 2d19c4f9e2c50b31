// A histogram whose bins lie in the shared memory of all blocks of a cluster, for clusters of several shapes.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void histogram(const int* x, int n, int* bins, int bins_of_block) {
    extern __shared__ int mine[];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned threads = gridDim.x * gridDim.y * blockDim.x;
    for (int b = static_cast<int>(threadIdx.x); b < bins_of_block; b += static_cast<int>(blockDim.x)) mine[b] = 0;
    cluster.sync();
    for (unsigned i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n);
         i += threads) {
        int* const there = cluster.map_shared_rank(mine, x[i] / bins_of_block);
        atomicAdd(there + x[i] % bins_of_block, 1);
    }
    cluster.sync();
    int* const begin = bins + cluster.block_rank() * static_cast<unsigned>(bins_of_block);
    for (int b = static_cast<int>(threadIdx.x); b < bins_of_block; b += static_cast<int>(blockDim.x))
        atomicAdd(&begin[b], mine[b]);
}

int main() {
    Array<int> x(3000, [](int i) { return i * 7 % 48; });
    const dim3 shapes[] = {{1, 1, 1}, {2, 1, 1}, {4, 2, 1}};
    for (const dim3 shape : shapes) {
        Array<int> bins(48, 0);
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = shape.x;
        attribute.val.clusterDim.y = shape.y;
        attribute.val.clusterDim.z = shape.z;
        const int of_block = 48 / static_cast<int>(shape.x * shape.y);
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(4, 2);
        config.blockDim = 64;
        config.dynamicSmemBytes = static_cast<std::size_t>(of_block) * sizeof(int);
        config.attrs = &attribute;
        config.numAttrs = 1;
        const int* in = x;
        int* out = bins;
        check(cudaLaunchKernelEx(&config, histogram, in, 3000, out, of_block));
        int sum = 0;
        for (int b = 0; b < 48; ++b) sum += bins[b];
        if (differs(sum, 3000)) return 1;
    }
    return 0;
}
