// Each block counts in the other's bins, too, and then reads its own behind a barrier of its own threads only.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) histogram(const int* x, int n, int* bins) {
    extern __shared__ int mine[];
    const auto cluster = cg::this_cluster();
    mine[threadIdx.x] = 0;
    cluster.sync();
    // data: as-is, random: of one bin, the last to change it are threads of the block itself
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n); i += blockDim.x * 2) {
        const int bin = x[i];
        atomicAdd(&cluster.map_shared_rank(mine, bin / 32)[bin % 32], 1);  // expect: race, other
    }
#ifdef BROKEN
    __syncthreads();
#else
    cluster.sync();
#endif
    bins[blockIdx.x * 32 + threadIdx.x] = mine[threadIdx.x];  // expect: race
    cluster.sync();
}

int main() {
    Array<int> x(1000, [](int i) { return i * 37 % 64; }), bins(64);
    histogram<<<2, 32, 32 * sizeof(int)>>>(x, 1000, bins);
#ifdef BROKEN
    return bins[5] < 0;
#else
    int sum = 0;
    for (int b = 0; b < 64; ++b) sum += bins[b];
    return differs(sum, 1000);
#endif
}
