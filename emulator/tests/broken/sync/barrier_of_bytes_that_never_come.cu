// A barrier is told to expect the bytes of two tiles, and only one is copied.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void add_up(const int* x, int* y) {
    __shared__ alignas(16) int tiles[2][64];
    __shared__ std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof tiles);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[0], x, sizeof tiles[0], &barrier);
#ifndef BROKEN
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[1], x + 64, sizeof tiles[1], &barrier);
#endif
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {  // expect: deadlock
    }
    y[threadIdx.x] = tiles[0][threadIdx.x] + tiles[1][threadIdx.x];
}

int main() {
    Array<int> x(128, [](int i) { return i; });
    Array<int> y(64);
    add_up<<<1, 64>>>(x, y);
    return differs(y[3], x[3] + x[67]);
}
