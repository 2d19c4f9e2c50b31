// A block arrives at a barrier in the shared memory of its neighbour, which may have ended.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "../arrays.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) tell(int* y) {
    __shared__ std::uint64_t barrier;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
    cluster.sync();
    std::uint64_t* const first = cluster.map_shared_rank(&barrier, 0);
    constexpr auto there = ptx::space_cluster;
    if (cluster.block_rank() == 1)
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, there, first);  // expect: use-after-free
#ifndef BROKEN
    if (cluster.block_rank() == 0)
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) {
        }
#endif
    y[blockIdx.x] = 1;
}

int main() {
    Array<int> y(2);
    tell<<<2, 1>>>(y);
    return differs(y[1], 1);
}
