#pragma once

// The tiles of b6_popc and b7_carry_save: a block makes tile_rows x tile_columns elements of c, a thread 8 x 4 of them,
// in registers; the words come through shared memory, a slice of k at a time.

#include "binary.h"

namespace matrix_multiply {

inline constexpr unsigned tile_rows = 128, tile_columns = 64;  // of a block
inline constexpr unsigned slice = 16;                          // words of k that are in shared memory at once
inline constexpr unsigned thread_rows = 8, thread_columns = 4;
inline constexpr unsigned tile_threads = tile_rows / thread_rows * (tile_columns / thread_columns);

static_assert(tile_padding % tile_rows == 0 && tile_padding % tile_columns == 0 && word_padding % slice == 0);

/// The elements of c that a thread makes: 8 rows in two groups of four neighbours, and four neighbouring columns.
struct Place {
    unsigned i, j;  // the tile's first row and column
    unsigned y, x;  // within the tile

    __device__ explicit Place(const Matrix<int>& c)
        : y(threadIdx.x / (tile_columns / thread_columns) * 4), x(threadIdx.x % (tile_columns / thread_columns) * 4) {
        const auto tiles_across = static_cast<unsigned>((c.columns + tile_columns - 1) / tile_columns);
        i = blockIdx.x / tiles_across * tile_rows;
        j = blockIdx.x % tiles_across * tile_columns;
    }

    __device__ unsigned row(unsigned r) const { return r < 4 ? y + r : tile_rows / 2 + y + r - 4; }
};

/// A slice of the block's rows of a and columns of b. a is transposed: a thread loads the words of four rows at once.
struct WordSlice {
    alignas(16) Word a[slice][tile_rows + 4];  // padding: fewer bank conflicts as a is transposed
    alignas(16) Word b[slice][tile_columns];

    /// Loads the slice, by all threads of the block. w: its first word.
    __device__ void load(const Packed& packed, const Place& place, unsigned w) {
#pragma unroll
        for (unsigned q = threadIdx.x; q < tile_rows * slice / 4; q += tile_threads) {
            const unsigned row = q / (slice / 4), word = q % (slice / 4) * 4;
            const uint4 four = *reinterpret_cast<const uint4*>(packed.a.row(place.i + row) + w + word);
            a[word][row] = four.x;
            a[word + 1][row] = four.y;
            a[word + 2][row] = four.z;
            a[word + 3][row] = four.w;
        }
#pragma unroll
        for (unsigned q = threadIdx.x; q < slice * tile_columns / 4; q += tile_threads) {
            const unsigned word = q / (tile_columns / 4), column = q % (tile_columns / 4) * 4;
            *reinterpret_cast<uint4*>(&b[word][column]) =
                *reinterpret_cast<const uint4*>(packed.b.row(w + word) + place.j + column);
        }
    }
};

__device__ inline void load_four(Word* registers, const Word* shared) {
    const uint4 four = *reinterpret_cast<const uint4*>(shared);
    registers[0] = four.x;
    registers[1] = four.y;
    registers[2] = four.z;
    registers[3] = four.w;
}

/// One word of each of the thread's rows, and one of each of its columns.
struct Operands {
    Word a[thread_rows], b[thread_columns];

    __device__ Operands(const WordSlice& tile, unsigned w, const Place& place) {
        load_four(a, &tile.a[w][place.row(0)]);
        load_four(a + 4, &tile.a[w][place.row(4)]);
        load_four(b, &tile.b[w][place.x]);
    }
};

/// Stores the thread's elements. different: for each of them, how many of the k bits differ.
__device__ inline void store(const unsigned (&different)[thread_rows][thread_columns], unsigned k, const Place& place,
                             const Matrix<int>& c) {
#pragma unroll
    for (unsigned r = 0; r < thread_rows; ++r) {
        const unsigned i = place.i + place.row(r), j = place.j + place.x;
        if (i >= c.rows) continue;
        int* out = c.row(i) + j;
        int sums[thread_columns];
        for (unsigned s = 0; s < thread_columns; ++s) sums[s] = static_cast<int>(k - 2 * different[r][s]);
        if (j + thread_columns <= c.columns && reinterpret_cast<std::uintptr_t>(out) % alignof(int4) == 0)
            *reinterpret_cast<int4*>(out) = make_int4(sums[0], sums[1], sums[2], sums[3]);
        else
            for (unsigned s = 0; s < thread_columns; ++s)
                if (j + s < c.columns) out[s] = sums[s];
    }
}

inline unsigned blocks_for(const Matrix<int>& c) {
    return grid_of(round_up(c.rows, tile_rows) / tile_rows * (round_up(c.columns, tile_columns) / tile_columns));
}

}  // namespace matrix_multiply
