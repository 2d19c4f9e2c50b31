// What threads have stored is read by a bulk copy, and only the thread that issues it has passed a fence for that, too
// early: before the others had stored.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void squares(int* y) {
    __shared__ alignas(16) int tile[64];
    const int t = static_cast<int>(threadIdx.x);
    tile[t] = t * t;  // expect: race
#ifdef BROKEN
    if (t == 63) ptx::fence_proxy_async(ptx::space_shared);
#else
    ptx::fence_proxy_async(ptx::space_shared);
#endif
    __syncthreads();
    if (t == 63) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y, tile, sizeof tile);  // expect: race, other
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

int main() {
    Array<int> y(64);
    squares<<<1, 64>>>(y);
    return differs(y[7], 49);
}
