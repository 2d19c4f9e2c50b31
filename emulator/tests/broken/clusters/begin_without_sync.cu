// A block stores in its neighbour's shared memory before it knows that the neighbour has begun.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) send(const int* x, int* y) {
    __shared__ int inbox[64];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1, i = blockIdx.x * 64 + threadIdx.x;
#ifndef BROKEN
    cluster.sync();
#endif
    cluster.map_shared_rank(inbox, other)[threadIdx.x] = x[i];  // expect: use-after-free
    cluster.sync();
    y[i] = inbox[threadIdx.x];
}

int main() {
    Array<int> x(128, [](int i) { return i; }), y(128);
    send<<<2, 64>>>(x, y);
    return differs(y[3], x[67]);
}
