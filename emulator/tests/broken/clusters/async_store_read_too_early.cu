// Each block of a cluster stores into the shared memory of the next one by st.async, and reads what it got before the
// barrier of these stores says that it is there.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "../arrays.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2) pass_on(const int* x, int* y) {
    __shared__ int received[32];
    __shared__ std::uint64_t barrier;
    const cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &barrier,
                                       sizeof received);
    }
    cluster.sync();
    const unsigned other = cluster.block_rank() ^ 1;
    int* const there = cluster.map_shared_rank(&received[t], other);
    ptx::st_async(there, x[32 * blockIdx.x + t], cluster.map_shared_rank(&barrier, other));  // expect: race
#ifndef BROKEN
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) continue;
#else
    __syncthreads();
#endif
    y[32 * blockIdx.x + t] = received[31 - t];  // expect: race, other
    cluster.sync();
}

int main() {
    Array<int> x(64, [](int i) { return i + 1; });
    Array<int> y(64);
    pass_on<<<2, 32>>>(x, y);
    return differs(y[0], x[63]);
}
