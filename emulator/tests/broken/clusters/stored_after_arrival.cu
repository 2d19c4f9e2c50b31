// A thread stores for the other block between its arrival at the barrier and its wait: too late for who has waited.
#include <cooperative_groups.h>

#include <utility>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) swap(const int* x, int* y) {
    __shared__ int inbox[32];
    auto cluster = cg::this_cluster();
    const unsigned i = blockIdx.x * 32 + threadIdx.x;
    int* const other = cluster.map_shared_rank(inbox, static_cast<int>(cluster.block_rank() ^ 1));
    cluster.sync();
#ifdef BROKEN
    auto token = cluster.barrier_arrive();
    other[threadIdx.x] = x[i];  // expect: race, other
#else
    other[threadIdx.x] = x[i];
    auto token = cluster.barrier_arrive();
#endif
    cluster.barrier_wait(std::move(token));
    y[i] = inbox[threadIdx.x];  // expect: race
    cluster.sync();
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64);
    swap<<<2, 32>>>(x, y);
    return differs(y[3], x[35]);
}
