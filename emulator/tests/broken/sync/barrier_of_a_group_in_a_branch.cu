// The block's group is synchronised in a branch that the threads behind the end do not take.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void shift(const int* x, int* y, int n) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        tile[threadIdx.x] = x[i];
#ifdef BROKEN
        block.sync();  // expect: divergent-barrier
        if (threadIdx.x > 0) y[i] = tile[threadIdx.x - 1];
    }
    block.sync();  // may: divergent-barrier
#else
    }
    block.sync();
    if (i < n && threadIdx.x > 0) y[i] = tile[threadIdx.x - 1];
#endif
}

int main() {
    Array<int> x(100, [](int i) { return i; }), y(100, -1);
    shift<<<2, 64>>>(x, y, 100);
    return differs(y[70], x[69]);
}
