#pragma once

// The tiles among which stages 14 and 16 choose, and their choice.

#include <algorithm>
#include <array>
#include <cstddef>

#include "matrix_multiply.h"
#include "tiles.h"

namespace matrix_multiply {

using Square = Tile<64, 64, 32, 32, 2, 1>;
using Small = Tile<32, 64, 16, 32, 1, 1>;

using FittedTiles = std::array<FittedTile, 3>;

/// The three with a stage's launches. Measured on an H100, with its 132 multiprocessors; the lesson says how to measure
/// them again.
constexpr FittedTiles tiles_launched_by(Launch* wide, Launch* square, Launch* small) {
    return {{
        {Wide::rows, Wide::columns, 1.0, 0.26, wide},
        {Square::rows, Square::columns, 0.88, 0.39, square},
        {Small::rows, Small::columns, 0.76, 0.49, small},
    }};
}

/// That of the tiles with which an m × n result takes the least time: that of the multiprocessor that gets the most.
inline const FittedTile& best_fit(const FittedTiles& tiles, std::size_t m, std::size_t n, unsigned multiprocessors) {
    const auto time = [&](const FittedTile& tile) {
        const std::size_t count = count_of(m, tile.rows) * count_of(n, tile.columns);
        const auto of_one = static_cast<double>(count_of(count, multiprocessors));
        return (tile.start + of_one) * tile.rows * tile.columns / tile.speed;
    };
    return *std::min_element(tiles.begin(), tiles.end(),
                             [&](const FittedTile& x, const FittedTile& y) { return time(x) < time(y); });
}

}  // namespace matrix_multiply
