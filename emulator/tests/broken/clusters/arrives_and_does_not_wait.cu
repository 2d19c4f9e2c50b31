// The blocks of a cluster arrive at its barrier, and read their neighbour's shared memory without having waited.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) exchange(const int* x, int* y) {
    __shared__ int values[32];
    cg::cluster_group cluster = cg::this_cluster();
    const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * 32 + t;
    values[t] = 0;
    cluster.sync();
    values[t] = x[i];  // expect: race, other
    cluster.barrier_arrive();
#ifndef BROKEN
    cluster.barrier_wait();
#endif
    const int theirs = cluster.map_shared_rank(values, static_cast<int>(cluster.block_rank() ^ 1))[t];  // expect: race
#ifdef BROKEN
    cluster.barrier_wait();
#endif
    cluster.sync();
    y[i] = theirs;
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64);
    exchange<<<2, 32>>>(x, y);
    return differs(y[0], x[32]);
}
