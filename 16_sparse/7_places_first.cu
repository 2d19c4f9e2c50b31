// New here: a kernel of its own finds where the tiles begin, all at the same time. 8 lanes look for a place together,
// so that each look leaves an eighth of the rows and not half of them. And a thread issues the loads of all its entries
// before it needs the first. What it should save: waiting. In stage 6, 254 threads wait while two search. And a memset,
// since only the rows in which a tile begins have to be 0.
// What remains: the gathers. The L2 cache delivers a sector for nearly each entry.

#include "common/check.h"
#include "common/device_buffer.h"
#include "sparse.h"
#include "tile.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 128, warp_size = 32, steps_per_thread = 9;
constexpr unsigned tile = block_size * steps_per_thread;
constexpr unsigned lanes = 8;  // that look for a place

/// Finds the places at which tiles begin, and the one at which the last tile ends. In y, their rows become 0.
__global__ void find_places(Matrix a, unsigned count, Place* places, float* y) {
    const unsigned i = (blockIdx.x * block_size + threadIdx.x) / lanes, lane = threadIdx.x % lanes;
    if (i >= count) return;  // all 8 lanes
    const unsigned its_lanes = ((1u << lanes) - 1) << (threadIdx.x % warp_size - lane);
    const std::int64_t all = std::int64_t{a.rows} + a.entries, begin = std::int64_t{i} * tile;
    const std::int64_t steps = begin < all ? begin : all;
    std::int64_t low = steps > a.entries ? steps - a.entries : 0, high = steps < a.rows ? steps : a.rows;
    while (low < high) {  // The rows before `low` have ended, and row `high` has not.
        const std::int64_t stretch = (high - low + lanes - 1) / lanes, next = low + stretch * (lane + 1);
        const std::int64_t row = (next < high ? next : high) - 1;  // the last of the lane's stretch
        const unsigned ended = __popc(__ballot_sync(its_lanes, a.row_starts[row + 1] < steps - row));
        if (ended == lanes) break;
        low += stretch * ended;
        high = (low + stretch < high ? low + stretch : high) - 1;
    }
    if (lane != 0) return;
    places[i] = {static_cast<int>(high), static_cast<int>(steps - high)};
    if (high < a.rows) y[high] = 0;
}

__global__ void multiply(Matrix a, const float* x, float* y, const Place* places) {
    __shared__ float products[tile], sums[tile + 1];
    __shared__ int row_ends[tile + 1];
    const Place begin = places[blockIdx.x], end = places[blockIdx.x + 1];
    const int rows = end.row - begin.row, entries = end.entry - begin.entry;

    int columns[steps_per_thread];
    float values[steps_per_thread];
#pragma unroll
    for (unsigned k = 0; k < steps_per_thread; ++k) {
        const int i = threadIdx.x + k * block_size;
        columns[k] = i < entries ? __ldcs(&a.columns[begin.entry + i]) : 0;  // read once: x should stay in the cache
        values[k] = i < entries ? __ldcs(&a.values[begin.entry + i]) : 0;
    }
    for (int i = threadIdx.x; i <= rows; i += block_size)
        row_ends[i] = i < rows ? a.row_starts[begin.row + 1 + i] - begin.entry : entries;
#pragma unroll
    for (unsigned k = 0; k < steps_per_thread; ++k) {
        const int i = threadIdx.x + k * block_size;
        if (i < entries) products[i] = values[k] * x[columns[k]];
    }
    __syncthreads();
    add_up<steps_per_thread>(rows, entries, products, row_ends, sums);

    for (int i = threadIdx.x; i <= rows; i += block_size) {
        const int at = begin.row + i;
        if (i > 0 && i < rows)
            y[at] = sums[i];
        else if (at < a.rows)
            atomicAdd(&y[at], sums[i]);  // The row may also be in the tile before, or in the next one.
    }
}

}  // namespace

void places_first(const Matrix& a, const float* x, float* y) {
    static DeviceBuffer<Place> places;  // kept from call to call: allocating takes longer than multiplying
    if (a.rows == 0) return;
    const auto tiles = static_cast<unsigned>((std::int64_t{a.rows} + a.entries - 1) / tile + 1);
    if (places.size() < tiles + 1) places = DeviceBuffer<Place>(tiles + 1);
    find_places<<<tiles / (block_size / lanes) + 1, block_size>>>(a, tiles + 1, places.data(), y);
    CUDA_CHECK_LAUNCH();
    multiply<<<tiles, block_size>>>(a, x, y, places.data());
    CUDA_CHECK_LAUNCH();
}

/// In its thread, by shuffles, in shared memory for each warp, and in global memory for each tile.
static std::size_t roundings(const Matrix&, std::size_t k) {
    return 1 + steps_per_thread + 5 + block_size / warp_size + 1 + k / tile + 2;
}

STAGES(Stage{{"the places of all tiles are found first", places_first}, roundings});

}  // namespace sparse
