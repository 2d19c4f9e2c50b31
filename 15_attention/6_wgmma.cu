// New here: wgmma, with which Hopper's tensor cores multiply while the warps go on. A warpgroup starts the products of
// its queries with the next keys, and those of its last weights with the values; and while these run, it turns the
// scores that it has into weights. A block has several warpgroups of 64 queries, and another that asks the Tensor
// Memory Accelerator (TMA) for keys and values, and lends the first ones its registers. With d = 64 weights take
// longer than products: there are three, and take turns, so that the tensor cores always have somebody's products. With
// d = 128 there are two. Where blocks are few, each has one, and a warp that asks. (FlashAttention-3: Shah and others,
// 2024; wgmma and the TMA: t3_wgmma of chapter 11.)
//
// Needs compute capability 9.0, and code for sm_90a: nvcc -gencode arch=compute_90a,code=sm_90a. No other GPU has
// wgmma. What remains: the next block's first keys arrive only when this block is done.

#include "attention.h"
#include "common/bulk_copy.h"
#include "common/check.h"
#include "common/device.h"
#include "fragments.h"

namespace attention {
namespace {

constexpr int warpgroup = 128, wgmma_rows = 64;
template <int d>
constexpr int tile_keys = d == 64 ? 128 : 160;
constexpr int slots = 4;         // of the ring, for keys and values by turns
constexpr int box_columns = 64;  // 128 bytes, that the TMA swizzles together

/// Positions, in boxes of 64 of their numbers.
template <int d, int rows>
using Rows = Bf16[d / box_columns][rows][box_columns];

template <int d, int consumers>
struct Shared {
    Rows<d, consumers * wgmma_rows> queries;
    Rows<d, tile_keys<d>> ring[slots];
    Barrier queries_full, full[slots], empty[slots];
};

/// On a multiprocessor.
template <int d, int consumers>
constexpr int blocks_at_once = d == 64 && consumers == 1 ? 2 : 1;

template <int consumers>
constexpr int threads = consumers == 1 ? warpgroup + 32 : (consumers + 1) * warpgroup;

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA

template <int consumers>
constexpr int most_threads = threads<consumers>;

/// Asks the TMA for positions from `first` on, with all their numbers; the bytes arrive at `barrier`.
template <int d, int rows>
__device__ void copy(Rows<d, rows>& to, const CUtensorMap& from, int first, int head, Barrier& barrier) {
    arrive_and_expect(barrier, sizeof to);
    for (int box = 0; box < d / box_columns; ++box)
        asm volatile(
            "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
            "[%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to[box])),
            "l"(&from), "r"(box * box_columns), "r"(first), "r"(head), "r"(shared_address(&barrier))
            : "memory");
}

/// How wgmma is told where a matrix is: its address, the bytes from one box to the next (where it takes two at once),
/// 1024 bytes from 8 rows to the next 8, swizzled in 128 bytes.
__device__ std::uint64_t descriptor(const void* matrix, unsigned box_bytes) {
    const std::uint64_t address = shared_address(matrix);
    return address / 16 | std::uint64_t{box_bytes / 16} << 16 | std::uint64_t{1024 / 16} << 32 | std::uint64_t{1} << 62;
}

#define FOUR(x) "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])
#define SIXTEEN(x, p) FOUR(x[p]), FOUR(x[p + 1]), FOUR(x[p + 2]), FOUR(x[p + 3])
#define THIRTY_TWO(x, p) SIXTEEN(x, p), SIXTEEN(x, p + 4)
#define NAMES_32                                                                                                      \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_64                                                                                                       \
    NAMES_32                                                                                                           \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, " \
    "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_80 NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"

/// 64 x 128 scores (+)= 16 numbers of 64 queries · 16 numbers of 128 keys. Only starts it.
template <bool add>
__device__ void multiply(float (&scores)[16][4], std::uint64_t queries, std::uint64_t keys) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " NAMES_64 "}, %64, %65, %66, 1, 1, 0, 0;"
                 : THIRTY_TWO(scores, 0), THIRTY_TWO(scores, 8)
                 : "l"(queries), "l"(keys), "n"(add));
}

/// The same for 160 keys.
template <bool add>
__device__ void multiply(float (&scores)[20][4], std::uint64_t queries, std::uint64_t keys) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n160k16.f32.bf16.bf16 " NAMES_80 "}, %80, %81, %82, 1, 1, 0, 0;"
                 : THIRTY_TWO(scores, 0), THIRTY_TWO(scores, 8), SIXTEEN(scores, 16)
                 : "l"(queries), "l"(keys), "n"(add));
}

/// 64 x d sums += weights of 64 queries for 16 keys · the values of these keys. Only starts it.
__device__ void multiply_add(float (&sums)[16][4], const unsigned (&weights)[4], std::uint64_t values) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " NAMES_64
                 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
                 : THIRTY_TWO(sums, 0), THIRTY_TWO(sums, 8)
                 : "r"(weights[0]), "r"(weights[1]), "r"(weights[2]), "r"(weights[3]), "l"(values));
}

__device__ void multiply_add(float (&sums)[8][4], const unsigned (&weights)[4], std::uint64_t values) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " NAMES_32
                 "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                 : THIRTY_TWO(sums, 0)
                 : "r"(weights[0]), "r"(weights[1]), "r"(weights[2]), "r"(weights[3]), "l"(values));
}

__device__ void before_products() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void after_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Until at most `running` groups of products run. Then `results` can be read.
template <int running, int pieces>
__device__ void wait_for_products(float (&results)[pieces][4]) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(running) : "memory");
#pragma unroll
    for (int p = 0; p < pieces; ++p) asm volatile("" : FOUR(results[p])::"memory");
}

template <int d, int rows, int pieces>
__device__ void start_scores(float (&scores)[pieces][4], const Rows<d, rows>& queries, int row,
                             const Rows<d, 8 * pieces>& keys) {
    before_products();
#pragma unroll
    for (int k = 0; k < d; k += 16) {
        const std::uint64_t a = descriptor(&queries[k / box_columns][row], 16);
        const std::uint64_t b = descriptor(&keys[k / box_columns], 16);
        const int bytes = k % box_columns * sizeof(Bf16);
        if (k == 0)
            multiply<false>(scores, a, b);
        else
            multiply<true>(scores, a + bytes / 16, b + bytes / 16);
    }
    after_products();
}

template <int d, int steps>
__device__ void start_sums(float (&sums)[d / 8][4], const unsigned (&weights)[steps][4],
                           const Rows<d, 16 * steps>& values) {
    before_products();
#pragma unroll
    for (int j = 0; j < steps; ++j) multiply_add(sums, weights[j], descriptor(&values[0][j * 16], sizeof values[0]));
    after_products();
}

template <int steps>
__device__ void pack(unsigned (&weights)[steps][4], const float (&scores)[2 * steps][4]) {
#pragma unroll
    for (int j = 0; j < steps; ++j)
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const auto& piece = scores[2 * j + p / 2];
            weights[j][p] = packed(piece[p % 2 * 2], piece[p % 2 * 2 + 1]);
        }
}

/// Three warpgroups take turns: each waits for its own, and then lets the next one start products.
template <int consumers>
__device__ void wait_for_turn() {
    if (consumers == 3)
        asm volatile("bar.sync %0, %1;" ::"r"(1 + threadIdx.x / warpgroup), "n"(2 * warpgroup) : "memory");
}

template <int consumers>
__device__ void end_turn() {
    if (consumers == 3)
        asm volatile("bar.arrive %0, %1;" ::"r"(1 + (threadIdx.x / warpgroup + 1) % 3), "n"(2 * warpgroup) : "memory");
}

template <int d, int consumers>
__device__ void produce(Shared<d, consumers>& shared, const CUtensorMap& queries, const CUtensorMap& keys,
                        const CUtensorMap& values, int first_query, int end, int head) {
    copy<d, consumers * wgmma_rows>(shared.queries, queries, first_query, head, shared.queries_full);
    for (int item = 0, first = 0; first < end; first += tile_keys<d>)
        for (const CUtensorMap* from : {&keys, &values}) {
            const int slot = item % slots;
            wait_for_end_of(item / slots % 2 ^ 1, shared.empty[slot]);  // at first as if a phase had ended
            copy<d, tile_keys<d>>(shared.ring[slot], *from, first, head, shared.full[slot]);
            ++item;
        }
}

template <int d, int consumers>
__device__ void consume(Shared<d, consumers>& shared, const Shape& shape, int block_query, int end, float* out) {
    const int own = threadIdx.x / warpgroup * wgmma_rows;
    const int row = block_query + own + threadIdx.x % warpgroup / 32 * 16 + threadIdx.x % 32 / 4;
    const int unmasked = shape.causal ? min(shape.n, block_query + own + 1) : shape.n;
    const auto arrived = [&](int item) -> const auto& {
        wait_for_end_of(item / slots % 2, shared.full[item % slots]);
        return shared.ring[item % slots];
    };
    const auto used = [&](int item) {
        if (threadIdx.x % warpgroup == 0) arrive(shared.empty[item % slots]);
    };

    constexpr int tile = tile_keys<d>;
    float scores[tile / 8][4], sums[d / 8][4] = {};
    unsigned weights[tile / 16][4];
    Running softmax;
    const auto weigh = [&](int first) {
        if (first + tile > unmasked) mask(scores, shape, row, first);
        softmax.weigh(scores, scale_of(d) * 1.44269504f);  // exp(x) = 2^(x · log2(e))
    };

    wait_for_end_of(0, shared.queries_full);
    start_scores<d>(scores, shared.queries, own, arrived(0));
    wait_for_products<0>(scores);
    used(0);
    weigh(0);
    pack(weights, scores);
    int item = 2;                                                         // keys and values are items by turns
    if (threadIdx.x / warpgroup == consumers - 1) end_turn<consumers>();  // so the first one begins
    for (int first = tile; first < end; first += tile, item += 2) {
        const auto& keys = arrived(item);
        wait_for_turn<consumers>();
        start_scores<d>(scores, shared.queries, own, keys);
        start_sums<d>(sums, weights, arrived(item - 1));
        end_turn<consumers>();
        wait_for_products<1>(scores);
        used(item);
        weigh(first);  // while the sums' products run
        wait_for_products<0>(sums);
        used(item - 1);
        softmax.correct(sums);
        pack(weights, scores);
    }
    start_sums<d>(sums, weights, arrived(item - 1));
    wait_for_products<0>(sums);
    softmax.store(sums, out, row, shape.n);
}

#else
template <int consumers>
constexpr int most_threads = 32;  // from this the host learns that the code is not for sm_90a
#endif

template <int d, int consumers>
__global__ void __launch_bounds__(most_threads<consumers>, blocks_at_once<d, consumers>)
    attend(Shape shape, const __grid_constant__ CUtensorMap queries, const __grid_constant__ CUtensorMap keys,
           const __grid_constant__ CUtensorMap values, float* out) {
#ifdef HAS_WGMMA
    extern __shared__ __align__(1024) unsigned char memory[];  // the swizzle counts from multiples of 1024
    auto& shared = *reinterpret_cast<Shared<d, consumers>*>(memory);
    if (threadIdx.x == 0) {
        init(shared.queries_full, 1);
        for (Barrier& barrier : shared.full) init(barrier, 1);
        for (Barrier& barrier : shared.empty) init(barrier, consumers);
        show_barriers_to_engine();
    }
    __syncthreads();
    // Blocks that run at the same time share the keys and values of few heads, which stay in the L2 cache. With a
    // causal mask, another order pays more: the last queries have the most keys, so their blocks start first.
    const int head = shape.causal ? blockIdx.x : blockIdx.y;
    const int part = shape.causal ? gridDim.y - 1 - blockIdx.y : blockIdx.x;
    const int first_query = part * consumers * wgmma_rows;
    const int end = shape.causal ? min(shape.n, first_query + consumers * wgmma_rows) : shape.n;
    if (threadIdx.x < consumers * warpgroup) {
        if (consumers > 1) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(480 / consumers));
        consume(shared, shape, first_query, end, out + std::size_t(head) * shape.n * d);
    } else {
        if (consumers > 1) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(consumers == 3 ? 32 : 24));
        if (threadIdx.x == consumers * warpgroup) produce(shared, queries, keys, values, first_query, end, head);
    }
#endif
}

/// Boxes of `rows` positions of a head, and of 64 of their numbers.
CUtensorMap map_of(const Bf16* data, const Shape& shape, int rows) {
    const auto d = static_cast<cuuint64_t>(shape.d), n = static_cast<cuuint64_t>(shape.n);
    return tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, data, {d, n, static_cast<cuuint64_t>(shape.heads)},
                      {d * sizeof(Bf16), n * d * sizeof(Bf16)}, {box_columns, static_cast<cuuint32_t>(rows), 1});
}

template <int consumers>
dim3 grid_of(const Shape& shape) {
    constexpr int rows = consumers * wgmma_rows;
    const unsigned heads = shape.heads, parts = (shape.n + rows - 1) / rows;
    return shape.causal ? dim3(heads, parts) : dim3(parts, heads);
}

/// How often each multiprocessor gets as many blocks as it has room for.
template <int d, int consumers>
unsigned rounds(const Shape& shape) {
    const dim3 grid = grid_of<consumers>(shape);
    const unsigned at_once = blocks_at_once<d, consumers> * multiprocessors();
    return (grid.x * grid.y + at_once - 1) / at_once;
}

template <int d, int consumers>
void launch(const Shape& shape, const Input& in, float* out) {
    constexpr int rows = consumers * wgmma_rows, bytes = sizeof(Shared<d, consumers>);
    const auto kernel = attend<d, consumers>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 grid = grid_of<consumers>(shape);
    kernel<<<grid, threads<consumers>, bytes>>>(shape, map_of(in.halves.queries, shape, rows),
                                                map_of(in.halves.keys, shape, tile_keys<d>),
                                                map_of(in.halves.values, shape, tile_keys<d>), out);
    CUDA_CHECK_LAUNCH();
}

/// In blocks of many warpgroups, or of one. With d = 64, a round of the former takes about 1.25 times as long.
template <int d>
void in_fewest_rounds(const Shape& shape, const Input& in, float* out) {
    constexpr int many = d == 64 ? 3 : 2;
    5 * rounds<d, many>(shape) < 4 * rounds<d, 1>(shape) ? launch<d, many>(shape, in, out)
                                                         : launch<d, 1>(shape, in, out);
}

}  // namespace

bool wgmma_is_compiled() {
    cudaFuncAttributes compiled{};
    CUDA_CHECK(cudaFuncGetAttributes(&compiled, attend<64, 3>));
    return compiled.maxThreadsPerBlock >= threads<3>;
}

void wgmma(const Shape& shape, const Input& in, float* out, float*) {
    require_supported(shape);
    if (!wgmma_is_compiled()) throw usage_error("6_wgmma needs a GPU of compute capability 9.0, and code for sm_90a");
    shape.d == 64 ? in_fewest_rounds<64>(shape, in, out) : in_fewest_rounds<128>(shape, in, out);
}

STAGES(Stage{{"warpgroups: weights are computed while products run", wgmma, warpgroup_mma}, true});

}  // namespace attention
