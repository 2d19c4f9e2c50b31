// One thread fetches tiles into a ring of stages by bulk copies. A fence behind the block's barrier, of the thread
// alone that issues them, serves for what all have stored; a buffer is filled again once its copy was read.
#include <cuda/barrier>
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__device__ void wait_for(std::uint64_t* barrier, unsigned parity) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    asm volatile(
        "{ .reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again; }" ::"r"(address),
        "r"(parity)
        : "memory");
}

__global__ void twice(const int* x, int* y, unsigned tiles) {
    constexpr unsigned stages = 3, size = 64;
    __shared__ alignas(128) int in[stages][size], out[2][size];
    __shared__ std::uint64_t full[stages];
    const unsigned t = threadIdx.x;
    if (t == 0) {
        for (unsigned s = 0; s < stages; ++s) ptx::mbarrier_init(&full[s], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    const auto fetch = [&](unsigned i) {
        const unsigned s = i % stages;
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, in[s], x + i * size, sizeof in[s], &full[s]);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], sizeof in[s]);
    };
    if (t == 0)
        for (unsigned i = 0; i < stages && i < tiles; ++i) fetch(i);
    for (unsigned i = 0; i < tiles; ++i) {
        wait_for(&full[i % stages], i / stages & 1);
        if (t == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
        __syncthreads();
        out[i % 2][t] = 2 * in[i % stages][t];
        __syncthreads();
        if (t == 0) {
            if (i + stages < tiles) fetch(i + stages);
            ptx::fence_proxy_async();
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + i * size, out[i % 2], sizeof out[0]);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (t == 0) {
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        y[0] += 1;
    }
}

// Warps wait for a barrier each; what a bulk copy has brought another one takes away, and that needs no fence.
__global__ void through(const int* x, int* y) {
    __shared__ alignas(16) int tile[4][32];
    __shared__ cuda::barrier<cuda::thread_scope_block> barriers[4];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    auto& barrier = barriers[warp];
    if (lane == 0) {
        init(&barrier, 32);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncwarp();
    if (lane == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(tile[warp], x + 32 * warp, sizeof tile[0], barrier);
        cuda::device::barrier_expect_tx(barrier, sizeof tile[0]);
    }
    barrier.arrive_and_wait();
    const int neighbour = tile[warp][31 - lane];
    if (lane == 0) {
        cuda::device::experimental::cp_async_bulk_shared_to_global(y + 32 * warp, tile[warp], sizeof tile[0]);
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
    __syncwarp();
    tile[warp][lane] = neighbour;
    __syncwarp();
    y[128 + threadIdx.x] = tile[warp][lane];
}

int main() {
    Array<int> x(512, [](int i) { return i % 100; }), y(512), z(256);
    twice<<<1, 64>>>(x, y, 8);
    through<<<1, 128>>>(x, z);
    return differs(y[300], 2 * x[300]) || differs(y[0], 2 * x[0] + 1) || differs(z[40], x[40]) ||
           differs(z[128], x[31]);
}
