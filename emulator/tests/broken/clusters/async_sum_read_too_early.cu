// The lanes of a block add to one sum by red.async, and it is read before the barrier of these additions says that they
// have come.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "../arrays.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2) add_up(const int* x, int* y) {
    __shared__ std::uint32_t sum;
    __shared__ std::uint64_t barrier;
    const cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    if (t == 0) {
        sum = 0;
        ptx::mbarrier_init(&barrier, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &barrier,
                                       64 * sizeof sum);
    }
    cluster.sync();
    for (int i = t; i < 64; i += 32) {
        const auto number = static_cast<std::uint32_t>(x[64 * blockIdx.x + i]);
        ptx::red_async(ptx::op_add, &sum, number, &barrier);  // expect: copy-in-flight
    }
#ifndef BROKEN
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) continue;
#else
    __syncthreads();
#endif
    if (t == 5) y[blockIdx.x] = static_cast<int>(sum);  // expect: copy-in-flight
    cluster.sync();
}

int main() {
    Array<int> x(128, [](int i) { return i + 1; });
    Array<int> y(2);
    add_up<<<2, 32>>>(x, y);
    int sum = 0;
    for (int i = 64; i < 128; ++i) sum += x[i];
    return differs(y[1], sum);
}
