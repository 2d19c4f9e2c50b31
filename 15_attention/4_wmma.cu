// New here: tensor cores, as nvcuda::wmma. A warp takes 16 queries through the keys, 32 at a time. It makes 16 x 32
// scores, and from their weights, rounded to BF16, and the values 16 x d sums. Sums are floats.
//
// Needs compute capability 8.0.
// What remains: `wmma` doesn't say which lane holds which element of a fragment. So scores, weights and sums go through
// shared memory, whenever rows are to be multiplied by the correction.

#include <mma.h>

#include "attention.h"
#include "common/check.h"

namespace attention {
namespace {

namespace wmma = nvcuda::wmma;

constexpr int side = 16;    // of a fragment
constexpr int keys = 32;    // of a tile: one for each lane
constexpr int warps = 4;    // of a block: 16 queries each
constexpr int padding = 8;  // 16 bytes: so 8 rows of a column of fragments are in different banks
constexpr int threads = warps * 32;

struct alignas(32) Unit {  // as fragments in memory are aligned
    unsigned char bytes[32];
};

/// What a warp keeps in shared memory.
template <int d>
struct alignas(32) Own {
    float sums[side][d];
    float scores[side][keys];
    Bf16 weights[side][keys + padding];
    float largest[side], total[side];
};

template <int d>
struct alignas(32) Shared {
    Bf16 queries[warps * side][d + padding], keys[attention::keys][d + padding], values[attention::keys][d + padding];
    Own<d> own[warps];
};

/// Copies `rows` positions from `first` on. Those behind the last one are copies of it.
template <int d>
__device__ void load(Bf16 (*to)[d + padding], const Bf16* from, int first, int rows, int n) {
    constexpr int units = d / 8;  // of 16 bytes
    for (int k = threadIdx.x; k < rows * units; k += threads) {
        Bf16* unit = &to[k / units][k % units * 8];
        *reinterpret_cast<uint4*>(unit) =
            reinterpret_cast<const uint4*>(from)[std::size_t(min(first + k / units, n - 1)) * units + k % units];
    }
}

/// The weights of new scores, row by row: lane j has key j. The sums so far are corrected.
template <int d>
__device__ void weigh(Own<d>& own, const Shape& shape, int first_query, int first_key) {
    const int lane = threadIdx.x % 32, j = first_key + lane;
    for (int row = 0; row < side; ++row) {
        const bool is_seen = j < shape.n && !(shape.causal && j > first_query + row);
        const float score = is_seen ? own.scores[row][lane] * scale_of(d) : -INFINITY;
        float now = score;
        for (int offset = 16; offset > 0; offset /= 2) now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, offset));
        const float before = own.largest[row];
        now = fmaxf(now, before);
        const float correction = expf(before - now), weight = expf(score - now);
        own.weights[row][lane] = __float2bfloat16_rn(weight);
        float sum = weight;
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
        for (int c = lane; c < d; c += 32) own.sums[row][c] *= correction;
        __syncwarp();
        if (lane == 0) {
            own.total[row] = own.total[row] * correction + sum;
            own.largest[row] = now;
        }
    }
    __syncwarp();
}

template <int d>
__global__ void __launch_bounds__(threads) attend(Shape shape, Vectors<Bf16> in, float* out) {
#if __CUDA_ARCH__ >= 800
    extern __shared__ Unit memory[];
    auto& shared = *reinterpret_cast<Shared<d>*>(memory);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const std::size_t head = std::size_t(blockIdx.y) * shape.n * d;
    const int block_query = blockIdx.x * warps * side, first_query = block_query + warp * side;
    Own<d>& own = shared.own[warp];

    load<d>(shared.queries, in.queries + head, block_query, warps * side, shape.n);
    for (int k = lane; k < side * d; k += 32) own.sums[k / d][k % d] = 0;
    if (lane < side) own.largest[lane] = -INFINITY, own.total[lane] = 0;
    const int end = shape.causal ? min(shape.n, block_query + warps * side) : shape.n;
    for (int first = 0; first < end; first += keys) {
        __syncthreads();  // nobody needs the tile before
        load<d>(shared.keys, in.keys + head, first, keys, shape.n);
        load<d>(shared.values, in.values + head, first, keys, shape.n);
        __syncthreads();

        wmma::fragment<wmma::accumulator, side, side, side, float> sum;
        for (int j = 0; j < keys; j += side) {
            wmma::fill_fragment(sum, 0);
            for (int c = 0; c < d; c += side) {
                wmma::fragment<wmma::matrix_a, side, side, side, Bf16, wmma::row_major> query;
                wmma::fragment<wmma::matrix_b, side, side, side, Bf16, wmma::col_major> key;
                wmma::load_matrix_sync(query, &shared.queries[warp * side][c], d + padding);
                wmma::load_matrix_sync(key, &shared.keys[j][c], d + padding);
                wmma::mma_sync(sum, query, key, sum);
            }
            wmma::store_matrix_sync(&own.scores[0][j], sum, keys, wmma::mem_row_major);
        }
        __syncwarp();
        weigh<d>(own, shape, first_query, first);
        for (int c = 0; c < d; c += side) {
            wmma::load_matrix_sync(sum, &own.sums[0][c], d, wmma::mem_row_major);
            for (int j = 0; j < keys; j += side) {
                wmma::fragment<wmma::matrix_a, side, side, side, Bf16, wmma::row_major> weight;
                wmma::fragment<wmma::matrix_b, side, side, side, Bf16, wmma::row_major> value;
                wmma::load_matrix_sync(weight, &own.weights[0][j], keys + padding);
                wmma::load_matrix_sync(value, &shared.values[j][c], d + padding);
                wmma::mma_sync(sum, weight, value, sum);
            }
            wmma::store_matrix_sync(&own.sums[0][c], sum, d, wmma::mem_row_major);
        }
        __syncwarp();
    }
    for (int row = 0; row < min(side, shape.n - first_query); ++row)
        for (int c = lane; c < d; c += 32)
            out[head + std::size_t(first_query + row) * d + c] = own.sums[row][c] / own.total[row];
#else
    __trap();
#endif
}

template <int d>
void launch(const Shape& shape, const Input& in, float* out) {
    constexpr int bytes = sizeof(Shared<d>);
    CUDA_CHECK(cudaFuncSetAttribute(attend<d>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 grid((shape.n + warps * side - 1) / (warps * side), shape.heads);
    attend<d><<<grid, threads, bytes>>>(shape, in.halves, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void tensor_fragments(const Shape& shape, const Input& in, float* out, float*) {
    require_supported(shape);
    shape.d == 64 ? launch<64>(shape, in, out) : launch<128>(shape, in, out);
}

STAGES(Stage{{"tensor cores, with scores in shared memory", tensor_fragments, tensor_cores_for_tf32}, true});

}  // namespace attention
