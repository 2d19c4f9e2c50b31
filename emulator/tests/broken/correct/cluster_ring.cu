// Values go around a ring of blocks, in two buffers and with a barrier in two steps; one thread of each block adds up.
#include <cooperative_groups.h>

#include <utility>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) go_around(const int* x, int* sums, int* last) {
    __shared__ int buffer[2][32];
    __shared__ int total;
    auto cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, rank = cluster.block_rank(), n = cluster.num_blocks();
    int value = x[blockIdx.x * 32 + t], sum = value;
    if (t == 0) total = 0;
    cluster.sync();
    for (unsigned step = 1; step < n; ++step) {
        int* const next = cluster.map_shared_rank(buffer[step % 2], static_cast<int>((rank + 1) % n));
        next[t] = value;
        auto token = cluster.barrier_arrive();
        atomicAdd(&total, 1);  // meanwhile
        cluster.barrier_wait(std::move(token));
        value = buffer[step % 2][t];
        sum += value;
    }
    sums[blockIdx.x * 32 + t] = sum;
    __syncthreads();
    // A reduction over the cluster: each block adds to that of rank 0, of which all know that it is still there.
    int* const all = cluster.map_shared_rank(&total, 0);
    if (t == 0 && rank != 0) atomicAdd(all, total);
    cluster.sync();
    if (rank == 0 && t == 0) last[blockIdx.x / n] = total;
}

// A flag in the shared memory of another block, with fences: no barrier lies between the store and the load.
__global__ void __cluster_dims__(2) hand_over(const int* x, int* y) {
    __shared__ int data, flag;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        *cluster.map_shared_rank(&data, 1) = x[0];
        __threadfence();
        atomicExch(cluster.map_shared_rank(&flag, 1), 1);
    }
    if (cluster.block_rank() == 1 && threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0) {
        }
        __threadfence();
        y[0] = data;
    }
    cluster.sync();
}

int main() {
    Array<int> x(256, [](int i) { return i; }), sums(256), last(2), y(1);
    go_around<<<8, 32>>>(x, sums, last);
    hand_over<<<2, 32>>>(x, y);
    const int expected = x[1] + x[33] + x[65] + x[97];
    return differs(sums[1], expected) || differs(sums[97], expected) || differs(last[1], 4 * 3 * 32) ||
           differs(y[0], x[0]);
}
