// A bulk copy fills a buffer again while other warps may still read what it held.
#include <cuda/barrier>
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void sums(const int* x, int* y, int tiles) {
    __shared__ alignas(16) int tile[64];
    __shared__ std::uint64_t full;
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) {
        ptx::mbarrier_init(&full, 64);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (t == 0) {
            ptx::cp_async_bulk(  // expect: copy-in-flight
                ptx::space_cluster, ptx::space_global, tile, x + 64 * i, sizeof tile, &full);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
        } else {
            ptx::mbarrier_arrive(&full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, i % 2)) {
        }
        sum += tile[63 - t];  // expect: copy-in-flight
#ifndef BROKEN
        __syncthreads();
#endif
    }
    y[t] = sum;
}

int main() {
    Array<int> x(64 * 4, [](int i) { return i; }), y(64);
    sums<<<1, 64>>>(x, y, 4);
    return differs(y[63], 64 * 6);
}
