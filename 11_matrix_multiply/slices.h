#pragma once

// Which elements of a and b a thread copies to shared memory, for the stages from 9_pipelined on. They say how to copy.

#include "tiles.h"

namespace matrix_multiply {

inline constexpr unsigned slice_padding = 4;  // floats

/// A block's rows of a, transposed, and columns of b, for `depth` values of l.
template <unsigned rows, unsigned columns, unsigned depth>
struct Slice {
    // A warp writes 4 rows of 8 neighbours of a at once: with the padding they fall into 32 different banks.
    float a[depth][rows + slice_padding];
    float b[depth][columns];
};

/// One thread's share of each slice. Beyond the edges of the matrices, rows and columns of the tile are copies of
/// others: their sums are not stored. But there may be no values of l beyond the end: if they make no whole number of
/// slices, the first slice is the short one, so that the others need no check.
template <unsigned rows, unsigned columns, unsigned depth, unsigned threads, bool aligned>
class SliceShare {
  public:
    using Shared = Slice<rows, columns, depth>;

    __device__ SliceShare(const Matrix<const float>& a, const Matrix<const float>& b, Position tile)
        : b_step_(depth * b.stride) {
        const std::size_t last_row = a.rows - 1, last_column = b.columns - 1;
#pragma unroll
        for (unsigned r = 0; r < a_rows; ++r)
            a_[r] = a.row(min(tile.row + a_row() + r * a_rows_apart, last_row)) + a_column();
        const std::size_t column = tile.column + b_column();
#pragma unroll
        for (unsigned r = 0; r < b_rows; ++r)
            b_[r] = b.row(b_row() + r * b_rows_apart) + min(column, aligned ? last_column / 4 * 4 : last_column);
#pragma unroll
        for (unsigned e = 0; e < 4; ++e) offsets_[e] = min(column + e, last_column) - min(column, last_column);
    }

    /// Copies the first slice. It has `size` values of l; the others become zeros.
    __device__ void first(Shared& to, unsigned size) {
#pragma unroll
        for (unsigned r = 0; r < a_rows; ++r) {
#pragma unroll
            for (unsigned l = 0; l < depth; l += warp_columns)
                to.a[l + a_column()][a_row() + r * a_rows_apart] = l + a_column() < size ? a_[r][l] : 0;
            a_[r] += size;
        }
#pragma unroll
        for (unsigned r = 0; r < b_rows; ++r) {
            const unsigned l = b_row() + r * b_rows_apart;
            float* quad = &to.b[l][b_column()];
            if constexpr (aligned) {  // the last quad of a row may end between the rows
                *reinterpret_cast<float4*>(quad) = l < size ? *reinterpret_cast<const float4*>(b_[r]) : float4{};
            } else {
#pragma unroll
                for (unsigned e = 0; e < 4; ++e) quad[e] = l < size ? b_[r][offsets_[e]] : 0;
            }
            b_[r] += size * (b_step_ / depth);
        }
    }

    /// Copies the next slice. copy(to, from) copies one float, or four of a row of b if `aligned`.
    template <class Copy>
    __device__ void next(Shared& to, const Copy& copy) {
#pragma unroll
        for (unsigned r = 0; r < a_rows; ++r) {
#pragma unroll
            for (unsigned l = 0; l < depth; l += warp_columns)
                copy(&to.a[l + a_column()][a_row() + r * a_rows_apart], a_[r] + l);
            a_[r] += depth;
        }
#pragma unroll
        for (unsigned r = 0; r < b_rows; ++r) {
            float* quad = &to.b[b_row() + r * b_rows_apart][b_column()];
            if constexpr (aligned) {
                copy(reinterpret_cast<float4*>(quad), reinterpret_cast<const float4*>(b_[r]));
            } else {
#pragma unroll
                for (unsigned e = 0; e < 4; ++e) copy(quad + e, b_[r] + offsets_[e]);
            }
            b_[r] += b_step_;
        }
    }

  private:
    static constexpr unsigned warp_columns = 8;                       // of a, that a warp copies at once
    static constexpr unsigned a_rows_apart = threads / warp_columns;  // rows of a that the block copies at once
    static constexpr unsigned a_rows = rows / a_rows_apart;
    static constexpr unsigned quads_in_row = columns / 4;  // of b
    static constexpr unsigned b_rows_apart = threads / quads_in_row;
    static constexpr unsigned b_rows = depth / b_rows_apart;
    static_assert(a_rows * a_rows_apart == rows && depth % warp_columns == 0);
    static_assert(b_rows * b_rows_apart == depth && threads % quads_in_row == 0);

    // Where in a slice this thread's first elements go.
    __device__ static unsigned a_row() {
        return threadIdx.x / warp_columns;
    }
    __device__ static unsigned a_column() {
        return threadIdx.x % warp_columns;
    }
    __device__ static unsigned b_row() {
        return threadIdx.x / quads_in_row;
    }
    __device__ static unsigned b_column() {
        return threadIdx.x % quads_in_row * 4;
    }

    const float *a_[a_rows], *b_[b_rows];  // this thread's first elements of the next slice
    std::size_t b_step_;
    std::size_t offsets_[4];  // of a quad's elements; they stay within the row
};

}  // namespace matrix_multiply
