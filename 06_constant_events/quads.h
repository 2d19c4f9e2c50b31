#pragma once

#include <algorithm>
#include <iterator>

#include "common/alignment.h"
#include "filter.h"

// What stages f6 and f7 have in common: four pixels at a time, and filters whose side is known to the compiler.
namespace filter {

inline constexpr int compiled_sides[] = {3, 5, 9, 15, 31};

/// The smallest of the compiled sides that is at least `side`. The filter runs as one of it, in a frame of zeros.
inline int compiled_side(int side) {
    return *std::lower_bound(std::begin(compiled_sides), std::end(compiled_sides), side);
}

/// side / 2 pixels in whole quads.
__host__ __device__ constexpr int quads_in_reach(int side) {
    return (side / 2 + 3) / 4;
}

/// Four neighbours of a row, which one instruction loads or stores.
template <class T>
struct alignas(16) Quad {
    T pixels[4];
};

/// Whether the rows of both pictures are quads from end to end.
template <class T>
bool are_quads(Size size, const T* in, const T* out) {
    return size.width % 4 == 0 && to_boundary(in) == 0 && to_boundary(out) == 0;
}

/// Writes the pixels from column x on, at once or one by one up to the end of the row.
template <class T>
__device__ void store(const Quad<T>& quad, bool is_quad, T* row, int x, int row_width) {
    if (is_quad)
        *reinterpret_cast<Quad<T>*>(row + x) = quad;
    else
        for (int j = 0; j < 4 && x + j < row_width; ++j) row[x + j] = quad.pixels[j];
}

}  // namespace filter
