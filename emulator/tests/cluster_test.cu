// Thread block clusters: blocks that live at once, wait for each other and use each other's shared memory. On a GPU and
// on the emulator alike.

#include <cooperative_groups.h>

#include <utility>
#include <vector>

#include "device.h"
#include "testing.h"

namespace {

namespace cg = cooperative_groups;

struct Clusters {
    Clusters(dim3 grid, dim3 block, dim3 cluster, std::size_t shared_bytes = 0, bool cooperative = false) {
        attributes[0].id = cudaLaunchAttributeClusterDimension;
        attributes[0].val.clusterDim.x = cluster.x;
        attributes[0].val.clusterDim.y = cluster.y;
        attributes[0].val.clusterDim.z = cluster.z;
        attributes[1].id = cudaLaunchAttributeCooperative;
        attributes[1].val.cooperative = cooperative;
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = shared_bytes;
        config.attrs = attributes;
        config.numAttrs = cooperative ? 2 : 1;
    }
    Clusters(const Clusters&) = delete;
    Clusters& operator=(const Clusters&) = delete;

    const cudaLaunchConfig_t* get() const { return &config; }

    cudaLaunchAttribute attributes[2];
    cudaLaunchConfig_t config{};
};

// What each thread of a cluster is told, as one number for each block.
__global__ void tell(int* wrong) {
    const cg::cluster_group cluster = cg::this_cluster();
    const dim3 n = cluster.dim_blocks(), in = cluster.block_index(), whole = __clusterIdx(),
               clusters = __clusterGridDimInClusters();
    const unsigned rank = in.x + n.x * (in.y + n.y * in.z);
    bool right = whole.x * n.x + in.x == blockIdx.x && whole.y * n.y + in.y == blockIdx.y &&
                 whole.z * n.z + in.z == blockIdx.z && clusters.x * n.x == gridDim.x && clusters.z * n.z == gridDim.z;
    right = right && cluster.block_rank() == rank && cluster.num_blocks() == n.x * n.y * n.z;
    right = right && cluster.num_threads() == cluster.num_blocks() * blockDim.x * blockDim.y;
    right = right && cluster.thread_rank() == rank * blockDim.x * blockDim.y + threadIdx.x + blockDim.x * threadIdx.y;
    right = right && cluster.dim_threads().y == n.y * blockDim.y;
    __shared__ int mine;
    cluster.sync();
    for (unsigned other = 0; other < cluster.num_blocks(); ++other)
        right = right && cluster.query_shared_rank(cluster.map_shared_rank(&mine, static_cast<int>(other))) == other;
    right = right && cluster.map_shared_rank(&mine, static_cast<int>(rank)) == &mine;
    if (!right) atomicAdd(wrong, 1);
    cluster.sync();
}

// Sums over all blocks of a cluster, round by round, in two buffers and with the barrier in two steps.
__global__ void add_ranks(const int* x, int* sums, int rounds) {
    extern __shared__ int inbox[];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned n = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int value = x[block * blockDim.x + t];
    unsigned sum = 0;
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        int* const next = cluster.map_shared_rank(inbox, static_cast<int>((rank + 1) % n));
        next[(static_cast<unsigned>(round) % 2) * blockDim.x + t] = value;
        auto token = cluster.barrier_arrive();
        sum += static_cast<unsigned>(value);
        cluster.barrier_wait(std::move(token));
        value = inbox[(static_cast<unsigned>(round) % 2) * blockDim.x + t];
    }
    sums[block * blockDim.x + t] = static_cast<int>(sum);
    cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(256) declared(int* out) {
    __shared__ int total;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) total = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(&total, 0), 1);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) out[blockIdx.x / 4] = total;
}

// A launch without clusters: each block is one by itself.
__global__ void alone(int* out) {
    __shared__ int mine;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) mine = static_cast<int>(blockIdx.x);
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        *cluster.map_shared_rank(&mine, 0) + static_cast<int>(cluster.num_blocks());
}

// Both barriers, and a block that waits in a loop of its own for another one of its cluster.
__global__ void both_barriers(int* out) {
    __shared__ int flag;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 1) atomicExch(cluster.map_shared_rank(&flag, 0), 5);
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
        while (atomicAdd(&flag, 0) == 0) {
        }
    if (threadIdx.x == 0) out[blockIdx.x] = flag;
    cg::this_grid().sync();
    if (threadIdx.x == 0) out[gridDim.x + blockIdx.x] = out[(blockIdx.x + 2) % gridDim.x];
    cluster.sync();
}

// The same in inline PTX: each block adds to the next one's value and reads the one before it.
__global__ void __cluster_dims__(4) in_ptx(int* out) {
    __shared__ int value;
    unsigned rank, n, there, here = static_cast<unsigned>(__cvta_generic_to_shared(&value));
    int before;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    value = static_cast<int>(rank);
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"((rank + 1) % n));
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(there), "r"(10) : "memory");
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"((rank + n - 1) % n));
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(before) : "r"(there) : "memory");
    out[blockIdx.x] = before;
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

template <class... P, class... A>
void launch(const Clusters& clusters, void (*kernel)(P...), A... arguments) {
    CUDA_CHECK(cudaLaunchKernelEx(clusters.get(), kernel, arguments...));
    CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace

TEST_CASE("threads are told where they are in their cluster", "[emulator][clusters]") {
    const dim3 cluster = GENERATE(dim3(1), dim3(2), dim3(8), dim3(1, 3), dim3(2, 2, 2), dim3(1, 1, 5));
    CAPTURE(cluster.x, cluster.y, cluster.z);
    const dim3 grid(2 * cluster.x, 3 * cluster.y, 2 * cluster.z);
    const auto wrong = DeviceBuffer<int>::from_host(std::vector<int>{0});
    launch(Clusters(grid, dim3(16, 2), cluster), tell, wrong.data());
    REQUIRE(wrong.to_host()[0] == 0);
}

TEST_CASE("blocks of a cluster exchange values through each other's shared memory", "[emulator][clusters]") {
    const unsigned of_cluster = GENERATE(1u, 2u, 3u, 8u), threads = GENERATE(1u, 33u, 256u);
    const unsigned clusters = 20, blocks = clusters * of_cluster, rounds = 5;
    CAPTURE(of_cluster, threads);
    const auto x = random_values<int>(blocks * threads);
    std::vector<int> expected(blocks * threads);
    for (unsigned b = 0; b < blocks; ++b)
        for (unsigned t = 0; t < threads; ++t) {
            unsigned sum = 0;
            for (unsigned round = 0; round < rounds; ++round) {
                const unsigned rank = (b % of_cluster + of_cluster * rounds - round) % of_cluster;
                sum += static_cast<unsigned>(x[(b - b % of_cluster + rank) * threads + t]);
            }
            expected[b * threads + t] = static_cast<int>(sum);
        }
    const auto in = DeviceBuffer<int>::from_host(x);
    const auto out = poisoned<int>(x.size());
    launch(Clusters(blocks, threads, of_cluster, 2 * threads * sizeof(int)), add_ranks, in.data(), out.data(),
           static_cast<int>(rounds));
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("a kernel's declaration gives the shape of its clusters", "[emulator][clusters]") {
    const auto out = poisoned<int>(50);
    declared<<<200, 256>>>(out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), std::vector<int>(50, 4 * 256));
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, declared));
    REQUIRE(attributes.requiredClusterWidth == 4);
    REQUIRE(attributes.requiredClusterDepth == 1);
    REQUIRE(attributes.maxThreadsPerBlock == 256);
    const auto values = poisoned<int>(8);
    in_ptx<<<8, 1>>>(values.data());
    REQUIRE_SAME(values.to_host(), (std::vector<int>{13, 10, 11, 12, 13, 10, 11, 12}));
    const auto single = poisoned<int>(3);
    alone<<<3, 1>>>(single.data());
    REQUIRE_SAME(single.to_host(), (std::vector<int>{1, 2, 3}));
}

TEST_CASE("a cooperative launch has clusters, too", "[emulator][clusters]") {
    const auto out = poisoned<int>(8);
    launch(Clusters(4, 32, 2, 0, true), both_barriers, out.data());
    REQUIRE_SAME(out.to_host(), (std::vector<int>{5, 0, 5, 0, 5, 0, 5, 0}));
}

TEST_CASE("clusters that cannot be are refused", "[emulator][clusters]") {
    const auto out = poisoned<int>(1);
    int *const p = out.data(), value = 0;
    declared<<<6, 32>>>(p);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidClusterSize);
    REQUIRE_ERROR(cudaLaunchKernelEx(Clusters(9, 32, 9).get(), both_barriers, p), cudaErrorInvalidClusterSize);
    REQUIRE_ERROR(cudaLaunchKernelEx(Clusters(8, 32, 2).get(), declared, p), cudaErrorInvalidClusterSize);

    const Clusters large(32, 32, 16);
    REQUIRE_ERROR(cudaLaunchKernelEx(large.get(), add_ranks, static_cast<const int*>(p), p, 0),
                  cudaErrorInvalidClusterSize);
    REQUIRE_ERROR(cudaOccupancyMaxPotentialClusterSize(&value, (void*)add_ranks, large.get()),
                  cudaErrorInvalidClusterSize);
    CUDA_CHECK(cudaFuncSetAttribute((void*)tell, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&value, (void*)tell, large.get()));
    REQUIRE(value == 16);
    const auto wrong = DeviceBuffer<int>::from_host(std::vector<int>{0});
    launch(large, tell, wrong.data());
    REQUIRE(wrong.to_host()[0] == 0);

    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&value, (void*)both_barriers, Clusters(8, 128, 4).get()));
    REQUIRE(value > 0);
    REQUIRE_ERROR(cudaOccupancyMaxActiveClusters(&value, (void*)both_barriers, Clusters(9, 128, 9).get()),
                  cudaErrorInvalidClusterSize);
    CUDA_CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
    REQUIRE(value == 1);
}
