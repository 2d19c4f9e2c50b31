// An index one past the end of the neighbour's array.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) shift(const int* x, int* y) {
    __shared__ int values[32];
    const auto cluster = cg::this_cluster();
    const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * 32 + t;
    values[t] = x[i];
    cluster.sync();
    const int* other = cluster.map_shared_rank(values, blockIdx.x == 0 ? 1 : 0);
#ifdef BROKEN
    y[i] = other[t + 1];  // expect: out-of-bounds
#else
    y[i] = other[(t + 1) % 32];
#endif
    cluster.sync();
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64);
    shift<<<2, 32>>>(x, y);
    return differs(y[0], x[33]);
}
