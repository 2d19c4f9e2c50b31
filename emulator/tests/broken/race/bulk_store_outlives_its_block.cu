// A block ends while a bulk copy may still read its shared memory: nobody has waited for that.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void squares(int* y) {
    __shared__ alignas(16) int tile[64];
    const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * 64 + t;
    tile[t] = i * i;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(  // expect: copy-in-flight
            ptx::space_global, ptx::space_shared, y + 64 * blockIdx.x, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
#ifndef BROKEN
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
#endif
    }
}

int main() {
    Array<int> y(256);
    squares<<<4, 64>>>(y);
    return differs(y[70], 4900);
}
