// New here: the instruction mma.sync, of which it is known which lane holds what. Scores, weights and sums stay in
// registers: a lane's scores are, rounded and packed in pairs, its part of the weights that the next product takes. A
// warp takes 32 queries, so each fragment of keys and values serves two products; where that leaves multiprocessors
// without a block, it takes 16. Asynchronous copies bring the next tile while this one is used. (FlashAttention-2: Dao,
// 2023.)
//
// Unit u of row r, 16 bytes, is at place u ^ r % 8: so ldmatrix reads 8 rows of a column without bank conflicts.
// Needs compute capability 8.0.
// What remains: a warp computes weights or products, not both at once, and on Hopper a tensor core that mma.sync
// keeps busy does about two thirds of what it could.

#include <cuda_pipeline.h>

#include "attention.h"
#include "common/check.h"
#include "common/device.h"
#include "fragments.h"

namespace attention {
namespace {

constexpr int warps = 4, threads = warps * 32;
constexpr int band = 16;  // queries: a warp has one band or two

template <int bands>
constexpr int tile_queries = warps* bands* band;  // of a block

template <int d>
using Row = uint4[d / 8];

template <int d, int tile_keys>
struct Tile {
    Row<d> keys[tile_keys], values[tile_keys];
};

template <int d, int bands, int tile_keys>
struct Shared {
    Row<d> queries[tile_queries<bands>];
    Tile<d, tile_keys> ring[2];
};

/// Starts copies of `rows` positions from `first` on. Those behind the last one are copies of it.
template <int d, int rows>
__device__ void load(Row<d>* to, const Bf16* from, int first, int n) {
    constexpr int units = d / 8;
#pragma unroll
    for (int k = threadIdx.x; k < rows * units; k += threads) {
        const int row = k / units, unit = k % units;
        __pipeline_memcpy_async(&to[row][unit ^ row % 8], from + std::size_t(min(first + row, n - 1)) * d + unit * 8,
                                16);
    }
}

/// Four pieces of 8 x 8 elements. Lane 8 p + r gives row r of piece p.
__device__ void load_pieces(unsigned (&pieces)[4], const uint4* unit) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(unit));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pieces[0]), "=r"(pieces[1]), "=r"(pieces[2]), "=r"(pieces[3])
                 : "r"(address)
                 : "memory");
}

/// The same, each piece transposed.
__device__ void load_transposed(unsigned (&pieces)[4], const uint4* unit) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(unit));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pieces[0]), "=r"(pieces[1]), "=r"(pieces[2]), "=r"(pieces[3])
                 : "r"(address)
                 : "memory");
}

/// 16 x 8 sums += 16 rows of a · 8 columns of b, 16 products each.
__device__ void multiply_add(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap();
#endif
}

/// A warp's queries · all keys of a tile.
template <int d, int bands, int tile_keys>
__device__ void compare(float (&scores)[bands][tile_keys / 8][4], const Row<d>* queries, const Row<d>* keys) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int c = 0; c < d / 16; ++c) {
        unsigned query[bands][4];
#pragma unroll
        for (int b = 0; b < bands; ++b) {
            const int row = b * band + lane % 16;
            load_pieces(query[b], &queries[row][(2 * c + lane / 16) ^ row % 8]);
        }
#pragma unroll
        for (int j = 0; j < tile_keys / 16; ++j) {
            unsigned key[4];
            const int row = j * 16 + lane / 16 * 8 + lane % 8;
            load_pieces(key, &keys[row][(2 * c + lane / 8 % 2) ^ row % 8]);
#pragma unroll
            for (int b = 0; b < bands; ++b) {
                multiply_add(scores[b][2 * j], query[b], key[0], key[1]);
                multiply_add(scores[b][2 * j + 1], query[b], key[2], key[3]);
            }
        }
    }
}

/// sums += the weights of a tile's keys · their values.
template <int d, int bands, int tile_keys>
__device__ void add_values(float (&sums)[bands][d / 8][4], const float (&scores)[bands][tile_keys / 8][4],
                           const Row<d>* values) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < tile_keys / 16; ++j) {
        unsigned weights[bands][4];
#pragma unroll
        for (int b = 0; b < bands; ++b)
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                const auto& piece = scores[b][2 * j + p / 2];
                weights[b][p] = packed(piece[p % 2 * 2], piece[p % 2 * 2 + 1]);
            }
#pragma unroll
        for (int c = 0; c < d / 16; ++c) {
            unsigned value[4];
            const int row = j * 16 + lane % 16;
            load_transposed(value, &values[row][(2 * c + lane / 16) ^ row % 8]);
#pragma unroll
            for (int b = 0; b < bands; ++b) {
                multiply_add(sums[b][2 * c], weights[b], value[0], value[1]);
                multiply_add(sums[b][2 * c + 1], weights[b], value[2], value[3]);
            }
        }
    }
}

template <int d, int bands, int tile_keys>
__global__ void __launch_bounds__(threads, 2) attend(Shape shape, Vectors<Bf16> in, float* out) {
    extern __shared__ uint4 memory[];
    auto& shared = *reinterpret_cast<Shared<d, bands, tile_keys>*>(memory);
    const int n = shape.n, warp = threadIdx.x / 32, own = warp * bands * band;
    const std::size_t head = std::size_t(blockIdx.y) * n * d;
    // With a causal mask the last queries have the most keys, so their blocks start first.
    const int block_query = int(gridDim.x - 1 - blockIdx.x) * tile_queries<bands>;
    const int row = block_query + own + threadIdx.x % 32 / 4;
    const int end = shape.causal ? min(n, block_query + tile_queries<bands>) : n;
    const float scale = scale_of(d) * 1.44269504f;  // exp(x) = 2^(x · log2(e))

    load<d, tile_queries<bands>>(shared.queries, in.queries + head, block_query, n);
    load<d, tile_keys>(shared.ring[0].keys, in.keys + head, 0, n);
    load<d, tile_keys>(shared.ring[0].values, in.values + head, 0, n);
    __pipeline_commit();

    float sums[bands][d / 8][4] = {};
    Running softmax[bands];
    for (int first = 0; first < end; first += tile_keys) {
        __pipeline_wait_prior(0);
        __syncthreads();  // this tile has arrived, and no thread needs the one before
        const auto& tile = shared.ring[first / tile_keys % 2];
        if (auto& next = shared.ring[(first / tile_keys + 1) % 2]; first + tile_keys < end) {
            load<d, tile_keys>(next.keys, in.keys + head, first + tile_keys, n);
            load<d, tile_keys>(next.values, in.values + head, first + tile_keys, n);
        }
        __pipeline_commit();

        float scores[bands][tile_keys / 8][4] = {};
        compare<d, bands, tile_keys>(scores, &shared.queries[own], tile.keys);
        // Only the last tile can end behind n, and only tiles on the diagonal have keys behind a query of this block.
        if (first + tile_keys > (shape.causal ? min(n, block_query) : n))
#pragma unroll
            for (int b = 0; b < bands; ++b) mask(scores[b], shape, row + b * band, first);
#pragma unroll
        for (int b = 0; b < bands; ++b) {
            softmax[b].weigh(scores[b], scale);
            softmax[b].correct(sums[b]);
        }
        add_values<d, bands, tile_keys>(sums, scores, tile.values);
    }
#pragma unroll
    for (int b = 0; b < bands; ++b) softmax[b].store(sums[b], out + head, row + b * band, n);
}

template <int d, int bands, int tile_keys>
void launch(const Shape& shape, const Input& in, float* out) {
    constexpr int bytes = sizeof(Shared<d, bands, tile_keys>);
    const auto kernel = attend<d, bands, tile_keys>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 grid((shape.n + tile_queries<bands> - 1) / tile_queries<bands>, shape.heads);
    kernel<<<grid, threads, bytes>>>(shape, in.halves, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void mma(const Shape& shape, const Input& in, float* out, float*) {
    require_supported(shape);
    const int blocks = (shape.n + tile_queries<2> - 1) / tile_queries<2> * shape.heads;
    const bool fills = static_cast<unsigned>(blocks) >= multiprocessors();
    if (shape.d == 64)
        fills ? launch<64, 2, 128>(shape, in, out) : launch<64, 1, 128>(shape, in, out);
    else  // With 128 keys, too, there would not be enough registers for two bands.
        fills ? launch<128, 2, 64>(shape, in, out) : launch<128, 1, 128>(shape, in, out);
}

STAGES(Stage{{"tensor cores, with scores in registers", mma, tensor_cores_for_tf32}, true});

}  // namespace attention
