// A bulk copy of a tile and its halo begins one element too early for it.
#include <cuda/ptx>

#include "../arrays.h"

__global__ void sums(const int* x, int* y) {
    namespace ptx = cuda::ptx;
    __shared__ alignas(16) int tile[68];
    __shared__ std::uint64_t full;
    if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::fence_proxy_async(ptx::space_shared);
#ifdef BROKEN
        const int* from = x + 3;
#else
        const int* from = x + 4;
#endif
        // says: c is 12 past a multiple of 16, at
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, from, sizeof tile, &full);  // expect: trap
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) continue;
    y[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1];
}

int main() {
    Array<int> x(72, [](int i) { return i; }), y(64);
    sums<<<1, 64>>>(x, y);
    return differs(y[1], 11);
}
