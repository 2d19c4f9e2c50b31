// Blocks of a cluster send values round by st.async, in two buffers: a block counts at the other one's second barrier
// that it has read what that one sent.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "../arrays.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr int blocks = 4, threads = 64;

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, parity)) continue;
}

__global__ void __cluster_dims__(blocks) send_round(int* x, int rounds) {
    __shared__ int received[2][threads];
    __shared__ std::uint64_t full[2], empty[2];
    const cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    const unsigned next = (cluster.block_rank() + 1) % blocks, last = (cluster.block_rank() + blocks - 1) % blocks;
    if (t == 0)
        for (int i = 0; i < 2; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], threads);
        }
    cluster.sync();
    int value = x[threads * blockIdx.x + t];
    for (int round = 0; round < rounds; ++round) {
        const int buffer = round % 2;
        const unsigned parity = round / 2 % 2;
        if (t == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full[buffer],
                                           sizeof received[buffer]);
        if (round >= 2) wait(&empty[buffer], parity ^ 1);
        ptx::st_async(cluster.map_shared_rank(&received[buffer][t], next), value,
                      cluster.map_shared_rank(&full[buffer], next));
        wait(&full[buffer], parity);
        value = received[buffer][threads - 1 - t] + 1;
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             cluster.map_shared_rank(&empty[buffer], last));
    }
    cluster.sync();
    x[threads * blockIdx.x + t] = value;
}

int main() {
    const int rounds = 12;
    Array<int> x(blocks * threads, [](int i) { return i; });
    const int first = x[0];
    send_round<<<blocks, threads>>>(x, rounds);
    return differs(x[0], first + rounds);
}
