// Bulk copies and the barriers in shared memory that are told of them, on a GPU and on the emulator alike.

#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda.h>
#include <cudaTypedefs.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <cuda/barrier>
#include <cuda/ptx>
#include <type_traits>
#include <utility>
#include <vector>

#include "device.h"
#include "testing.h"

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr unsigned threads = 64;

// The programming guide's form: a tile is fetched, changed and brought back.
__global__ void add_one_to_tiles(int* data) {
    __shared__ alignas(128) int tile[4 * threads];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier barrier;
    int* const there = data + blockIdx.x * 4 * threads;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, there, cuda::aligned_size_t<16>(sizeof tile), barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    for (unsigned i = threadIdx.x; i < 4 * threads; i += threads) tile[i] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, there, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

// Two stages, one thread that fetches and others that add up; the barriers of both directions by their words.
__global__ void add_up(const int* x, int* sums, unsigned tiles) {
    constexpr unsigned stages = 2, size = 32;
    __shared__ alignas(16) int tile[stages][size];
    __shared__ std::uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 32);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        for (unsigned i = 0; i < tiles; ++i) {
            const unsigned s = i % stages, round = i / stages;
            while (!ptx::mbarrier_try_wait_parity(&empty[s], (round & 1) ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                           sizeof tile[s]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s], x + i * size, sizeof tile[s], &full[s]);
        }
    } else if (threadIdx.x < 32) {
        int sum = 0;
        for (unsigned i = 0; i < tiles; ++i) {
            const unsigned s = i % stages, round = i / stages;
            while (!ptx::mbarrier_try_wait_parity(&full[s], round & 1)) {
            }
            sum += tile[s][threadIdx.x];
            ptx::mbarrier_arrive(&empty[s]);
        }
        sums[threadIdx.x] = sum;
    }
}

__device__ unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// The same instructions in asm, with a loop that waits as libraries write it.
__device__ void wait_in_asm(unsigned barrier, unsigned parity) {
    asm volatile(
        "{\n"
        ".reg .pred P1;\n"
        "LAB_WAIT:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
        "@P1 bra DONE;\n"
        "bra LAB_WAIT;\n"
        "DONE:\n"
        "}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}
__global__ void reverse_in_asm(const int* x, int* y, int* sum) {
    __shared__ alignas(16) int tile[threads], reversed[threads];
    __shared__ std::uint64_t barrier;
    const unsigned b = shared_address(&barrier), t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(1) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(16) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(int(sizeof tile) - 16)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(tile)),
                     "l"(x), "r"(int(sizeof tile)), "r"(b)
                     : "memory");
    }
    wait_in_asm(b, 0);
    reversed[t] = tile[threads - 1 - t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        const unsigned from = shared_address(reversed);
        const int bytes = sizeof reversed;
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(from), "r"(bytes)
                     : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sum), "r"(from),
                     "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        y[0] += 1;
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(b) : "memory");
    }
}

// What a barrier says of itself, one step after the other: bytes may come before they are expected.
__global__ void tell_phases(int* over) {
    __shared__ std::uint64_t word;
    const unsigned b = shared_address(&word);
    if (threadIdx.x != 0) return;
    ptx::mbarrier_init(&word, 2);
    const auto note = [&](unsigned i, std::uint64_t state) {
        over[2 * i] = ptx::mbarrier_test_wait(&word, state);
        over[2 * i + 1] = ptx::mbarrier_test_wait_parity(&word, 0);
    };
    const std::uint64_t first = ptx::mbarrier_arrive(&word);
    note(0, first);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 32;" ::"r"(b) : "memory");
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &word, 48);
    const std::uint64_t second = ptx::mbarrier_arrive(&word);
    note(1, second);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(b) : "memory");
    note(2, first);
    const std::uint64_t third = ptx::mbarrier_arrive(&word, 2);
    note(3, third);
    asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared::cta.b64 s, [%0]; }" ::"r"(b) : "memory");
    const std::uint64_t fourth = ptx::mbarrier_arrive(&word);
    note(4, fourth);
    note(5, ptx::mbarrier_arrive(&word));  // only one is expected now
}

// A copy for all blocks of a cluster, by the first one; and each block sends a part to the next one.
__global__ void __cluster_dims__(4) share(const int* x, int* y) {
    __shared__ alignas(128) int all[threads], from_neighbour[threads], mine[threads];
    __shared__ std::uint64_t barrier, sent;
    const auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), n = cluster.num_blocks(), t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::mbarrier_init(&sent, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof all);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &sent, sizeof mine);
    }
    mine[t] = static_cast<int>(1000 * (rank + 1) + t);
    ptx::fence_proxy_async(ptx::space_shared);
    cluster.sync();
    if (t == 0) {
        if (rank == 0)  // nvcc has the function that does it for sm_90a only
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                "[%3], %4;" ::"r"(shared_address(all)),
                "l"(x), "r"(static_cast<int>(sizeof all)), "r"(shared_address(&barrier)),
                "h"(static_cast<unsigned short>((1u << n) - 1))
                : "memory");
        const int next = static_cast<int>((rank + 1) % n);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(from_neighbour, next), mine,
                           sizeof mine, cluster.map_shared_rank(&sent, next));
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &sent, 0)) {
    }
    y[blockIdx.x * threads + t] = all[t] + from_neighbour[threads - 1 - t];
    cluster.sync();
}

// Each block tells the first one's barrier that it has written there.
__global__ void __cluster_dims__(4) report_to_first(int* y) {
    __shared__ int inbox[4];
    __shared__ std::uint64_t barrier;
    const auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, cluster.num_blocks());
    cluster.sync();
    if (threadIdx.x == 0) {
        cluster.map_shared_rank(inbox, 0)[rank] = static_cast<int>(10 * rank + blockIdx.x / 4);
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             cluster.map_shared_rank(&barrier, 0));
        if (rank == 0) {
            while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) {
            }
            y[blockIdx.x / 4] = inbox[0] + inbox[1] + inbox[2] + inbox[3];
        }
    }
    cluster.sync();
}

// Each thread stores into the memory of the next block, 4, 8 and 16 bytes at once, and counts there.
__global__ void __cluster_dims__(4) store_next(const unsigned* x, unsigned* y, unsigned* counted) {
    __shared__ alignas(16) unsigned words[threads], pairs[2 * threads], fours[4 * threads], wide[4 * threads];
    __shared__ unsigned sum, least, most, bits;
    __shared__ std::uint64_t barrier;
    const auto cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, next = (cluster.block_rank() + 1) % 4;
    if (t == 0) {
        sum = most = bits = 0;
        least = ~0u;
        ptx::mbarrier_init(&barrier, 1);
        constexpr unsigned bytes = sizeof words + sizeof pairs + sizeof fours + sizeof wide + 4 * threads * sizeof sum;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &barrier, bytes);
    }
    cluster.sync();
    const unsigned* const mine = x + 11 * (blockIdx.x * threads + t);
    std::uint64_t* const told = cluster.map_shared_rank(&barrier, next);
    const auto there = [&](auto* pointer) { return cluster.map_shared_rank(pointer, next); };
    ptx::st_async(there(&words[t]), mine[0], told);
    const unsigned two[] = {mine[1], mine[2]}, four[] = {mine[3], mine[4], mine[5], mine[6]};
    ptx::st_async(there(&pairs[2 * t]), two, told);
    ptx::st_async(there(&fours[4 * t]), four, told);
    unsigned address, barrier_address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(&wide[4 * t])), "r"(next));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier_address) : "r"(shared_address(&barrier)), "r"(next));
    const auto low = static_cast<std::uint64_t>(mine[8]) << 32 | mine[7];
    const auto high = static_cast<std::uint64_t>(mine[10]) << 32 | mine[9];
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(address),
        "l"(low), "l"(high), "r"(barrier_address)
        : "memory");
    ptx::red_async(ptx::op_add, there(&sum), mine[0], told);
    ptx::red_async(ptx::op_min, there(&least), mine[1], told);
    ptx::red_async(ptx::op_or_op, there(&bits), 1u << mine[2] % 32, told);
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(&most)), "r"(next));
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%0], %1, [%2];" ::"r"(address),
        "r"(mine[3]), "r"(barrier_address)
        : "memory");
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) {
    }
    unsigned* const to = y + 11 * (blockIdx.x * threads + t);
    to[0] = words[t];
    for (unsigned i = 0; i < 2; ++i) to[1 + i] = pairs[2 * t + i];
    for (unsigned i = 0; i < 4; ++i) to[3 + i] = fours[4 * t + i];
    for (unsigned i = 0; i < 4; ++i) to[7 + i] = wide[4 * t + i];
    if (t == 0) {
        const unsigned all[] = {sum, least, most, bits};
        for (unsigned i = 0; i < 4; ++i) counted[4 * blockIdx.x + i] = all[i];
    }
    cluster.sync();
}

// Adds, and finds the least and the largest, of numbers of 16 bits in global memory.
template <class T>
__global__ void reduce_halves(const T* x, T* sums, T* least, T* largest) {
    __shared__ alignas(16) T values[8 * threads];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < 8 * threads; i += threads) values[i] = x[blockIdx.x * 8 * threads + i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sums, values, sizeof values);
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_min, least, values, sizeof values);
        if constexpr (std::is_same_v<T, __half>)
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [%0], [%1], %2;" ::"l"(largest),
                         "r"(shared_address(values)), "r"(int(sizeof values))
                         : "memory");
        else
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [%0], [%1], %2;" ::"l"(largest),
                         "r"(shared_address(values)), "r"(int(sizeof values))
                         : "memory");
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// Whole numbers, whose sums are exact; -0 and NaNs among the others.
template <class T>
void check_halves(T nan) {
    constexpr unsigned n = 8 * threads, blocks = 3;
    const auto random = random_values<std::uint32_t>(blocks * n);
    std::vector<T> x(blocks * n), sums(n, T(1.0f)), least(n, T(3.0f)), largest(n, T(-3.0f));
    for (unsigned i = 0; i < x.size(); ++i) x[i] = T(static_cast<float>(random[i] % 31) - 15.0f);
    x[5] = nan;
    for (unsigned b = 0; b < blocks; ++b) x[b * n + 6] = T(b == 1 ? -0.0f : 0.0f);
    least[6] = largest[6] = T(0.0f);
    const auto in = DeviceBuffer<T>::from_host(x), d_sums = DeviceBuffer<T>::from_host(sums),
               d_least = DeviceBuffer<T>::from_host(least), d_largest = DeviceBuffer<T>::from_host(largest);
    reduce_halves<T><<<blocks, threads>>>(in.data(), d_sums.data(), d_least.data(), d_largest.data());
    CUDA_CHECK_LAUNCH();
    const auto bits = [](const std::vector<T>& values) {
        std::vector<std::uint16_t> all(values.size());
        std::memcpy(all.data(), values.data(), values.size() * sizeof(T));
        return all;
    };
    for (unsigned i = 0; i < n; ++i) {
        float sum = 1, low = i == 6 ? 0.0f : 3.0f, high = i == 6 ? 0.0f : -3.0f;
        for (unsigned b = 0; b < blocks; ++b) {
            const auto value = static_cast<float>(x[b * n + i]);
            sum += value;
            if (std::isnan(value)) continue;
            if (value < low || (value == low && std::signbit(value))) low = value;
            if (value > high) high = value;
        }
        sums[i] = i == 5 ? nan : T(sum);
        least[i] = T(low);
        largest[i] = T(high);
    }
    auto found_sums = bits(d_sums.to_host()), expected_sums = bits(sums);
    const bool is_nan = std::isnan(static_cast<float>(d_sums.to_host()[5]));
    found_sums[5] = expected_sums[5] = 0;  // Which NaN does not matter.
    REQUIRE(is_nan);
    REQUIRE_SAME(found_sums, expected_sums);
    REQUIRE_SAME(bits(d_least.to_host()), bits(least));
    REQUIRE_SAME(bits(d_largest.to_host()), bits(largest));
}

// nvcc's own functions for such a barrier.
__global__ void hand_round(int* y) {
    __shared__ __mbarrier_t barrier;
    __shared__ int values[threads];
    const unsigned t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    values[t] = static_cast<int>(t);
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    y[t] = values[threads - 1 - t] + static_cast<int>(__mbarrier_token_pending_count(token) > blockDim.x);
    if (t > 0) __mbarrier_arrive_and_drop(&barrier);
    if (t > 0) return;
    __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait_parity(&barrier, true, 1000)) {
    }
    __mbarrier_inval(&barrier);
}

constexpr unsigned tile_rows = 8, tile_columns = 32;

// Fetches the tile at (column, row), gives its words as they lie in shared memory, and stores it at (to_column,
// to_row).
__global__ void move_tile(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int column,
                          int row, int to_column, int to_row, int* as_it_lies) {
    __shared__ alignas(1024) int tile[tile_rows * tile_columns];
    __shared__ std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        const std::int32_t at[] = {column, row};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &from, at, &barrier);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof tile);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    for (unsigned i = threadIdx.x; i < tile_rows * tile_columns; i += blockDim.x) as_it_lies[i] = tile[i];
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
                     "r"(to_column), "r"(to_row), "r"(shared_address(tile))
                     : "memory");
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

CUtensorMap map_of(int* data, std::uint64_t columns, std::uint64_t rows, CUtensorMapSwizzle swizzle,
                   CUresult expected = CUDA_SUCCESS, cuuint32_t box_columns = tile_columns) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    REQUIRE(result == cudaDriverEntryPointSuccess);
    CUtensorMap map{};
    const cuuint64_t sizes[] = {columns, rows}, strides[] = {columns * sizeof(int)};
    const cuuint32_t box[] = {box_columns, tile_rows}, element_strides[] = {1, 1};
    REQUIRE(reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found)(
                &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, sizes, strides, box, element_strides,
                CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == expected);
    return map;
}

}  // namespace

TEST_CASE("a tile is fetched by a bulk copy, changed and brought back", "[emulator][bulk]") {
    const auto x = random_values<std::int32_t>(7 * 4 * threads);
    std::vector<std::int32_t> expected;
    for (const std::int32_t value : x) expected.push_back(static_cast<std::int32_t>(static_cast<unsigned>(value) + 1));
    const auto data = DeviceBuffer<std::int32_t>::from_host(x);
    add_one_to_tiles<<<7, threads>>>(data.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(data.to_host(), expected);
}

TEST_CASE("a thread fetches tiles for others, which say when they are done", "[emulator][bulk]") {
    const unsigned tiles = GENERATE(1u, 2u, 7u);
    std::vector<int> x(tiles * 32), expected(32, 0);
    for (unsigned i = 0; i < x.size(); ++i) expected[i % 32] += x[i] = static_cast<int>(i * i % 1000);
    const auto in = DeviceBuffer<int>::from_host(x);
    const auto sums = poisoned<int>(32);
    add_up<<<1, 64>>>(in.data(), sums.data(), tiles);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(sums.to_host(), expected);
}

TEST_CASE("bulk copies and mbarriers in inline PTX", "[emulator][bulk]") {
    std::vector<int> x(threads), expected(threads), sums(threads, 5);
    for (unsigned i = 0; i < threads; ++i) expected[threads - 1 - i] = x[i] = static_cast<int>(3 * i);
    const auto in = DeviceBuffer<int>::from_host(x), sum = DeviceBuffer<int>::from_host(sums);
    const auto out = poisoned<int>(threads);
    reverse_in_asm<<<1, threads>>>(in.data(), out.data(), sum.data());
    CUDA_CHECK_LAUNCH();
    for (unsigned i = 0; i < threads; ++i) sums[i] += expected[i];
    expected[0] += 1;
    REQUIRE_SAME(out.to_host(), expected);
    REQUIRE_SAME(sum.to_host(), sums);
}

TEST_CASE("the phases of an mbarrier", "[emulator][bulk]") {
    const auto over = poisoned<int>(12);
    tell_phases<<<1, 1>>>(over.data());
    CUDA_CHECK_LAUNCH();
    // By the state of the latest arrival, and by parity 0: it is asked about the phase before, too.
    REQUIRE_SAME(over.to_host(), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0}));
}

TEST_CASE("an mbarrier by nvcc's own functions", "[emulator][bulk]") {
    const auto out = poisoned<int>(threads);
    hand_round<<<1, threads>>>(out.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(threads);
    for (unsigned t = 0; t < threads; ++t) expected[t] = static_cast<int>(threads - 1 - t);
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("blocks of a cluster copy to each other", "[emulator][bulk][clusters]") {
    const unsigned blocks = 8;
    const auto x = random_values<std::int16_t>(threads);
    std::vector<int> wide(x.begin(), x.end()), expected(blocks * threads);
    for (unsigned b = 0; b < blocks; ++b)
        for (unsigned t = 0; t < threads; ++t)
            expected[b * threads + t] = wide[t] + static_cast<int>(1000 * ((b + 3) % 4 + 1) + threads - 1 - t);
    const auto in = DeviceBuffer<int>::from_host(wide);
    const auto out = poisoned<int>(expected.size());
    share<<<blocks, threads>>>(in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
    const auto sums = poisoned<int>(2);
    report_to_first<<<blocks, 32>>>(sums.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(sums.to_host(), (std::vector<int>{60, 64}));
}

TEST_CASE("blocks of a cluster store and count in each other's memory", "[emulator][bulk][clusters]") {
    const unsigned blocks = 8, words = 11;
    auto x = random_values<std::uint32_t>(words * blocks * threads);
    std::vector<std::uint32_t> expected(x.size()), counts;
    for (unsigned b = 0; b < blocks; ++b) {
        const unsigned from = b / 4 * 4 + (b + 3) % 4;
        std::uint32_t sum = 0, least = ~0u, most = 0, bits = 0;
        for (unsigned t = 0; t < threads; ++t) {
            const std::uint32_t* sent = &x[words * (from * threads + t)];
            std::copy_n(sent, words, &expected[words * (b * threads + t)]);
            sum += sent[0];
            least = std::min(least, sent[1]);
            bits |= 1u << sent[2] % 32;
            most = std::max(most, sent[3]);
        }
        counts.insert(counts.end(), {sum, least, most, bits});
    }
    const auto in = DeviceBuffer<std::uint32_t>::from_host(x);
    const auto out = poisoned<std::uint32_t>(x.size()), counted = poisoned<std::uint32_t>(counts.size());
    store_next<<<blocks, threads>>>(in.data(), out.data(), counted.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
    REQUIRE_SAME(counted.to_host(), counts);
}

TEST_CASE("bulk copies add numbers of 16 bits, and find the least and the largest", "[emulator][bulk]") {
    check_halves<__half>(__ushort_as_half(0x7e00));
    check_halves<__nv_bfloat16>(__ushort_as_bfloat16(0x7fc0));
}

TEST_CASE("tiles of a tensor, with zeros outside of it", "[emulator][bulk][tensor]") {
    constexpr int columns = 40, rows = 20;
    const auto swizzle = GENERATE(CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B);
    const int column = GENERATE(0, 4, 20, -8), row = GENERATE(0, 17, -3, 25);
    CAPTURE(swizzle, column, row);
    std::vector<int> x(columns * rows), lies(tile_rows * tile_columns), y(columns * rows, 7);
    for (unsigned i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i) + 1;
    constexpr int to_column = 12, to_row = 15;
    for (int r = 0; r < int(tile_rows); ++r)
        for (int c = 0; c < int(tile_columns); ++c) {
            const bool inside = row + r >= 0 && row + r < rows && column + c >= 0 && column + c < columns;
            const int value = inside ? x[static_cast<unsigned>((row + r) * columns + column + c)] : 0;
            // Of a row of 128 bytes, pieces of 16 change their places by the row's number.
            const int place = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? c : (c / 4 ^ r) * 4 + c % 4;
            lies[static_cast<unsigned>(r * int(tile_columns) + place)] = value;
            if (to_row + r < rows && to_column + c < columns)
                y[static_cast<unsigned>((to_row + r) * columns + to_column + c)] = value;
        }
    const auto in = DeviceBuffer<int>::from_host(x), out = DeviceBuffer<int>::from_host(std::vector<int>(y.size(), 7));
    const auto as_it_lies = poisoned<int>(lies.size());
    move_tile<<<1, 64>>>(map_of(in.data(), columns, rows, swizzle), map_of(out.data(), columns, rows, swizzle), column,
                         row, to_column, to_row, as_it_lies.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(as_it_lies.to_host(), lies);
    REQUIRE_SAME(out.to_host(), y);
}

TEST_CASE("tensors that cannot be mapped are refused", "[emulator][bulk][tensor]") {
    const auto data = poisoned<int>(64 * 64);
    map_of(data.data() + 1, 64, 64, CU_TENSOR_MAP_SWIZZLE_NONE, CUDA_ERROR_INVALID_VALUE);  // an address
    map_of(data.data(), 63, 64, CU_TENSOR_MAP_SWIZZLE_NONE, CUDA_ERROR_INVALID_VALUE);      // a stride
    map_of(data.data(), 64, 64, CU_TENSOR_MAP_SWIZZLE_64B, CUDA_ERROR_INVALID_VALUE);  // a row that is too long for it
    map_of(data.data(), 64, 64, CU_TENSOR_MAP_SWIZZLE_NONE, CUDA_ERROR_INVALID_VALUE, 30);  // a row of the box
}

// In a process of its own: it ends the context.
TEST_CASE("a tile whose first column is no multiple of 16 bytes ends the kernel", "[.ends_context]") {
    const auto data = poisoned<int>(40 * 20), tile = poisoned<int>(tile_rows * tile_columns);
    const CUtensorMap map = map_of(data.data(), 40, 20, CU_TENSOR_MAP_SWIZZLE_NONE);
    move_tile<<<1, 64>>>(map, map, -1, 0, 0, 0, tile.data());
    REQUIRE(cudaDeviceSynchronize() != cudaSuccess);
}
