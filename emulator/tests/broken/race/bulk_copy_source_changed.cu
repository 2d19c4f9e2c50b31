// Results go to global memory by bulk copies from one buffer, which is filled again while a copy may still read it.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void squares(int* y, int tiles) {
    __shared__ alignas(16) int tile[64];
    const int t = static_cast<int>(threadIdx.x);
    for (int i = 0; i < tiles; ++i) {
        tile[t] = (64 * i + t) * (64 * i + t);  // may: copy-in-flight
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            constexpr auto from = ptx::space_shared;
            ptx::cp_async_bulk(ptx::space_global, from, y + 64 * i, tile, 256);  // expect: copy-in-flight
            ptx::cp_async_bulk_commit_group();
#ifdef BROKEN
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());  // may: copy-in-flight
#else
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
#endif
        }
        __syncthreads();
    }
}

int main() {
    Array<int> y(4 * 64);
    squares<<<1, 64>>>(y, 4);
    return differs(y[100], 100 * 100);
}
