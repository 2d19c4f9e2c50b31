// New here: the instruction mma.sync, of which it is known which lane holds what. Scores, weights and sums stay in
// registers: a lane's scores are, rounded and packed in pairs, its part of the weights that the next product takes. A
// warp takes 32 queries, so each fragment of keys and values serves two products; where that leaves multiprocessors
// without a block, it takes 16. Asynchronous copies bring the next tile while this one is used. (FlashAttention-2: Dao,
// 2023.)
//
// Unit u of row r, 16 bytes, is at place u ^ r % 8: so ldmatrix reads 8 rows of a column without bank conflicts.
// Needs compute capability 8.0.
// What remains: a warp computes weights or products, not both at once, and from Hopper on mma.sync reaches not much
// more than half of what the tensor cores can do.

#include <cuda_pipeline.h>

#include <cstring>

#include "attention.h"
#include "common/check.h"
#include "common/device.h"

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

/// 2^x, by one instruction: that of exp2f(), without the care that it takes of numbers below 2^-126.
__device__ float power_of_two(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

__device__ unsigned packed(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    unsigned bits;
    memcpy(&bits, &pair, sizeof bits);
    return bits;
}

/// Two rows of a band are a lane's: row lane / 4 with elements 0 and 1 of each piece, and the row 8 below with 2 and 3.
/// Turns scores into weights, and returns by how much what was summed before is to be multiplied.
template <int pieces>
__device__ void weigh(float (&scores)[pieces][4], float (&largest)[2], float (&total)[2], float (&correction)[2],
                      float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float now = largest[half];
#pragma unroll
        for (auto& piece : scores) now = fmaxf(now, fmaxf(piece[2 * half], piece[2 * half + 1]));
        now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
        now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
        correction[half] = power_of_two((largest[half] - now) * scale);
        largest[half] = now;
        total[half] *= correction[half];
#pragma unroll
        for (auto& piece : scores)
#pragma unroll
            for (int e = 2 * half; e < 2 * half + 2; ++e) {
                piece[e] = power_of_two(piece[e] * scale - now * scale);
                total[half] += piece[e];  // of this lane's keys; the four lanes of a row add up at the end
            }
    }
}

template <int d, int bands, int tile_keys>
__global__ void __launch_bounds__(threads, 2) attend(Shape shape, Vectors<Bf16> in, float* out) {
    extern __shared__ uint4 memory[];
    auto& shared = *reinterpret_cast<Shared<d, bands, tile_keys>*>(memory);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, n = shape.n;
    const std::size_t head = std::size_t(blockIdx.y) * n * d;
    // With a causal mask the last queries have the most keys, so their blocks start first.
    const int block_query = int(gridDim.x - 1 - blockIdx.x) * tile_queries<bands>, own = warp * bands * band;
    const int end = shape.causal ? min(n, block_query + tile_queries<bands>) : n;
    const float scale = scale_of(d) * 1.44269504f;  // exp(x) = 2^(x · log2(e))

    load<d, tile_queries<bands>>(shared.queries, in.queries + head, block_query, n);
    load<d, tile_keys>(shared.ring[0].keys, in.keys + head, 0, n);
    load<d, tile_keys>(shared.ring[0].values, in.values + head, 0, n);
    __pipeline_commit();

    float sums[bands][d / 8][4] = {}, largest[bands][2], total[bands][2] = {};
    for (auto& of_band : largest) of_band[0] = of_band[1] = -INFINITY;
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
#pragma unroll
        for (int c = 0; c < d / 16; ++c) {
            unsigned query[bands][4];
#pragma unroll
            for (int b = 0; b < bands; ++b) {
                const int row = own + b * band + lane % 16;
                load_pieces(query[b], &shared.queries[row][(2 * c + lane / 16) ^ row % 8]);
            }
#pragma unroll
            for (int j = 0; j < tile_keys / 16; ++j) {
                unsigned key[4];
                const int row = j * 16 + lane / 16 * 8 + lane % 8;
                load_pieces(key, &tile.keys[row][(2 * c + lane / 8 % 2) ^ row % 8]);
#pragma unroll
                for (int b = 0; b < bands; ++b) {
                    multiply_add(scores[b][2 * j], query[b], key[0], key[1]);
                    multiply_add(scores[b][2 * j + 1], query[b], key[2], key[3]);
                }
            }
        }
        // Only the last tile can end behind n, and only tiles on the diagonal have keys behind a query of this block.
        if (first + tile_keys > (shape.causal ? min(n, block_query) : n)) {
#pragma unroll
            for (int b = 0; b < bands; ++b)
#pragma unroll
                for (int piece = 0; piece < tile_keys / 8; ++piece)
#pragma unroll
                    for (int e = 0; e < 4; ++e) {
                        const int i = block_query + own + b * band + lane / 4 + e / 2 * 8;
                        const int j = first + piece * 8 + lane % 4 * 2 + e % 2;
                        if (j >= n || (shape.causal && j > i)) scores[b][piece][e] = -INFINITY;
                    }
        }
#pragma unroll
        for (int b = 0; b < bands; ++b) {
            float correction[2];
            weigh(scores[b], largest[b], total[b], correction, scale);
#pragma unroll
            for (auto& piece : sums[b])
#pragma unroll
                for (int e = 0; e < 4; ++e) piece[e] *= correction[e / 2];
        }
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
                load_transposed(value, &tile.values[row][(2 * c + lane / 16) ^ row % 8]);
#pragma unroll
                for (int b = 0; b < bands; ++b) {
                    multiply_add(sums[b][2 * c], weights[b], value[0], value[1]);
                    multiply_add(sums[b][2 * c + 1], weights[b], value[2], value[3]);
                }
            }
        }
    }
#pragma unroll
    for (int b = 0; b < bands; ++b)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float weight = total[b][half];
            weight += __shfl_xor_sync(0xffffffff, weight, 1);
            weight += __shfl_xor_sync(0xffffffff, weight, 2);
            const int i = block_query + own + b * band + half * 8 + lane / 4;
            if (i >= n) continue;
#pragma unroll
            for (int piece = 0; piece < d / 8; ++piece)
                *reinterpret_cast<float2*>(out + head + std::size_t(i) * d + piece * 8 + lane % 4 * 2) = {
                    sums[b][piece][2 * half] / weight, sums[b][piece][2 * half + 1] / weight};
        }
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

}  // namespace attention
