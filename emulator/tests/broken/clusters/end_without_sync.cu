// A block reads its neighbour's shared memory and ends; nothing keeps the neighbour from having ended before.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) neighbours(const int* x, int* y) {
    __shared__ int values[32];
    const cg::cluster_group cluster = cg::this_cluster();
    const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * 32 + t;
    values[t] = x[i];
    cluster.sync();
    const int* next = cluster.map_shared_rank(values, static_cast<int>((cluster.block_rank() + 1) % 4));
    y[i] = next[t];  // expect: use-after-free
#ifndef BROKEN
    cluster.sync();
#endif
}

int main() {
    Array<int> x(256, [](int i) { return i; }), y(256);
    neighbours<<<8, 32>>>(x, y);
    return differs(y[0], x[32]) || differs(y[255], x[159]);
}
