// Packs 32 signs into a word, and counts the ones of each row of a and each column of b. a is packed along its rows: a
// warp reads 32 neighbours, and a vote among its lanes makes their word. b is packed down its columns: each lane makes
// a word of 32 rows by itself, and neighbouring lanes have neighbouring columns.
// In the variant thread_per_word, a lane makes a word of a by itself, too: in each load, the lanes are 32 floats apart.
// In padded_copy, cudaMemset() and cudaMemcpy2D() make copies of a and b that end with whole tiles, and these are
// packed.

#include "common/check.h"
#include "common/errors.h"
#include "packed_matrices.h"

namespace matrix_multiply {
namespace {

constexpr unsigned warp_size = 32, full_warp = 0xffffffff;
constexpr unsigned warps = 8;       // in a block of pack_rows()
constexpr unsigned word_rows = 16;  // that a block of pack_columns() makes at once

__device__ bool is_plus(float x) {
    return !(x < 0);
}

__global__ void pack_rows(Matrix<const float> a, Matrix<Word> packed, int* ones) {
    const unsigned lane = threadIdx.x % warp_size;
    const std::size_t i = std::size_t{blockIdx.x} * warps + threadIdx.x / warp_size;
    int count = 0;
    for (std::size_t w = 0; w < packed.columns; w += warp_size) {
        Word mine = 0;
#pragma unroll
        for (unsigned s = 0; s < warp_size; ++s) {
            const std::size_t l = (w + s) * word_bits + lane;
            const float element = i < a.rows && l < a.columns ? a.row(i)[l] : -1.f;
            const Word word = __ballot_sync(full_warp, is_plus(element));
            if (lane == s) mine = word;
        }
        packed.row(i)[w + lane] = mine;
        count += __popc(mine);
    }
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        count += __shfl_down_sync(full_warp, count, distance);
    if (lane == 0) ones[i] = count;
}

__global__ void pack_rows_by_threads(Matrix<const float> a, Matrix<Word> packed, int* ones) {
    const unsigned lane = threadIdx.x % warp_size;
    const std::size_t i = std::size_t{blockIdx.x} * warps + threadIdx.x / warp_size;
    int count = 0;
    for (std::size_t w = lane; w < packed.columns; w += warp_size) {
        Word word = 0;
#pragma unroll
        for (unsigned s = 0; s < word_bits; ++s) {
            const std::size_t l = w * word_bits + s;
            const float element = i < a.rows && l < a.columns ? a.row(i)[l] : -1.f;
            word |= Word{is_plus(element)} << s;
        }
        packed.row(i)[w] = word;
        count += __popc(word);
    }
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        count += __shfl_down_sync(full_warp, count, distance);
    if (lane == 0) ones[i] = count;
}

__global__ void pack_columns(Matrix<const float> b, Matrix<Word> packed, int* ones) {
    __shared__ int counts[word_rows][warp_size];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const std::size_t j = std::size_t{blockIdx.x} * warp_size + x;
    int count = 0;
    for (std::size_t w = y; w < packed.rows; w += word_rows) {
        const std::size_t l = w * word_bits;
        const unsigned there = l < b.rows && j < b.columns ? min(b.rows - l, std::size_t{word_bits}) : 0;
        const float* column = b.row(l) + j;
        Word word = 0;
#pragma unroll
        for (unsigned s = 0; s < word_bits; ++s) {
            const float element = s < there ? column[s * b.stride] : -1.f;
            word |= Word{is_plus(element)} << s;
        }
        packed.row(w)[j] = word;
        count += __popc(word);
    }
    counts[y][x] = count;
    __syncthreads();
    if (y > 0) return;
    for (unsigned other = 1; other < word_rows; ++other) count += counts[other][x];
    ones[j] = count;
}

/// A copy of the matrix in `room`, which has this size, with negative numbers behind its rows and columns. cudaMemset()
/// sets bytes, and a float of four bytes 0xbf is -1.498.
Matrix<const float> padded(Matrix<const float> matrix, std::size_t rows, std::size_t columns,
                           std::optional<DeviceMatrix<float>>& room) {
    if (!room) room.emplace(rows, columns, Rows::pitched);
    const Matrix<float> copy = room->view();
    CUDA_CHECK(cudaMemset(copy.data, 0xbf, rows * copy.stride * sizeof(float)));
    CUDA_CHECK(cudaMemcpy2D(copy.data, copy.stride * sizeof(float), matrix.data, matrix.stride * sizeof(float),
                            matrix.columns * sizeof(float), matrix.rows, cudaMemcpyDeviceToDevice));
    return copy;
}

}  // namespace

PackedMatrices::PackedMatrices(Shape shape)
    : shape_(shape),
      a_(round_up(shape.m, tile_padding), round_up(words_for(shape.k), word_padding), Rows::dense),
      b_(round_up(words_for(shape.k), word_padding), round_up(shape.n, tile_padding), Rows::dense),
      ones_in_a_(round_up(shape.m, tile_padding)),
      ones_in_b_(round_up(shape.n, tile_padding)) {}

void PackedMatrices::pack(Matrix<const float> a, Matrix<const float> b, PackMethod method) {
    if (a.rows != shape_.m || a.columns != shape_.k || b.rows != shape_.k || b.columns != shape_.n)
        throw usage_error("matrices to be packed have another shape than the room for them");
    if (method == PackMethod::padded_copy) {
        a = padded(a, a_.view().rows, a_.view().columns * word_bits, room_for_a_);
        b = padded(b, b_.view().rows * word_bits, b_.view().columns, room_for_b_);
    }
    if (const Matrix<Word> packed = a_.view(); packed.rows > 0) {
        const auto kernel = method == PackMethod::thread_per_word ? pack_rows_by_threads : pack_rows;
        kernel<<<grid_of(packed.rows / warps), warps * warp_size>>>(a, packed, ones_in_a_.data());
        CUDA_CHECK_LAUNCH();
    }
    if (const Matrix<Word> packed = b_.view(); packed.columns > 0) {
        pack_columns<<<grid_of(packed.columns / warp_size), dim3(warp_size, word_rows)>>>(b, packed, ones_in_b_.data());
        CUDA_CHECK_LAUNCH();
    }
}

void pack(Matrix<const float> a, Matrix<const float> b, PackedMatrices& packed) {
    packed.pack(a, b);
}

void pack_by_threads(Matrix<const float> a, Matrix<const float> b, PackedMatrices& packed) {
    packed.pack(a, b, PackMethod::thread_per_word);
}

void pack_padded_copy(Matrix<const float> a, Matrix<const float> b, PackedMatrices& packed) {
    packed.pack(a, b, PackMethod::padded_copy);
}

Packed PackedMatrices::view() const {
    return {a_.view(), b_.view(), ones_in_a_.data(), ones_in_b_.data(), shape_, words_for(shape_.k)};
}

void PackedMatrices::poison() {
    if (a_.view().rows > 0) a_.poison();
    if (b_.view().columns > 0) b_.poison();
    ones_in_a_.poison();
    ones_in_b_.poison();
}

void require_fits(const Packed& packed, const Matrix<int>& c) {
    const auto [m, k, n] = packed.shape;
    if (c.rows != m || c.columns != n)
        throw usage_error("a product of " + std::to_string(m) + "x" + std::to_string(n) +
                          " does not fit in a matrix of " + std::to_string(c.rows) + "x" + std::to_string(c.columns));
    constexpr std::size_t most = 0x7fff'ffff;
    if (m > most || n > most)
        throw usage_error("a product of " + std::to_string(m) + "x" + std::to_string(n) +
                          " has too many rows or columns: 2^31 - 1 are possible");
    if (k > most) throw usage_error("a sum of " + std::to_string(k) + " signs may be more than an int holds");
}

STAGES(PackStage{"floats to bits: 32 lanes vote on a word of a, a lane makes one of b", pack},
       PackStage{"thread_per_word", "a lane makes a word of a, too", pack_by_threads},
       PackStage{"padded_copy", "as pack, of copies that end with whole tiles", pack_padded_copy});

}  // namespace matrix_multiply
