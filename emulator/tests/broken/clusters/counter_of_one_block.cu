// A counter that two blocks change is atomic for one block only.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) count(const int* x, int* y) {
    __shared__ int positive;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) positive = 0;
    cluster.sync();
    int* const counter = cluster.map_shared_rank(&positive, 0);
    if (x[blockIdx.x * 32 + threadIdx.x] >= 0) {
#ifdef BROKEN
        atomicAdd_block(counter, 1);  // expect: race
#else
        atomicAdd(counter, 1);
#endif
    }
    cluster.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *y = positive;
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(1);
    count<<<2, 32>>>(x, y);
    return differs(y[0], 64);
}
