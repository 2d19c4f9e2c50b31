// New here: a block takes a tile of the merge path. It reads the tile's entries side by side, keeps their products in
// shared memory, and its threads take their steps there: 7 each, an odd number, as lanes 8 apart would share banks.
// The parts of a row are added up by shuffles, then in shared memory. Only a row that crosses the end of a tile takes
// an atomicAdd() in global memory. What it should save: sectors, searches in global memory, and nearly all atomics.
// What remains: a block waits for the two threads that search. And the columns send each lane to another sector of x,
// unless the matrix is a band.

#include "common/check.h"
#include "merge_path.h"
#include "sparse.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 256, warp_size = 32, all_lanes = 0xffffffff;

/// Adds each thread's sum to sums[row]. The rows ascend from thread to thread. Lanes of the same row add up theirs
/// first, by a scan that stops where another row begins, so that one lane of them speaks for all.
__device__ void add_to_rows(int row, float sum, float* sums) {
    const unsigned lane = threadIdx.x % warp_size;
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        const float left = __shfl_up_sync(all_lanes, sum, distance);
        const int row_of_left = __shfl_up_sync(all_lanes, row, distance);
        if (lane >= distance && row_of_left == row) sum += left;
    }
    const int row_of_right = __shfl_down_sync(all_lanes, row, 1);
    if (lane == warp_size - 1 || row_of_right != row) atomicAdd(&sums[row], sum);
}

template <unsigned steps_per_thread>
__global__ void multiply(Matrix a, const float* x, float* y) {
    constexpr unsigned tile = block_size * steps_per_thread;
    __shared__ Place places[2];
    __shared__ float products[tile], sums[tile + 1];
    __shared__ int row_ends[tile + 1];

    if (threadIdx.x < 2) {
        const std::int64_t all = std::int64_t{a.rows} + a.entries;
        const std::int64_t steps = (std::int64_t{blockIdx.x} + threadIdx.x) * tile;
        places[threadIdx.x] = place_after(steps < all ? steps : all, a.row_starts + 1, a.rows, a.entries);
    }
    __syncthreads();
    const Place begin = places[0];
    const int rows = places[1].row - begin.row, entries = places[1].entry - begin.entry;  // that end, and all of them

    for (int i = threadIdx.x; i < entries; i += block_size)
        products[i] = a.values[begin.entry + i] * x[a.columns[begin.entry + i]];
    for (int i = threadIdx.x; i <= rows; i += block_size) {  // one more: the row that goes on behind the tile
        row_ends[i] = i < rows ? a.row_starts[begin.row + 1 + i] - begin.entry : entries;
        sums[i] = 0;
    }
    __syncthreads();

    const int first = min(threadIdx.x * steps_per_thread, rows + entries);
    const int last = min(first + steps_per_thread, rows + entries);
    auto [row, entry] = place_after(first, row_ends, rows, entries);
    float sum = 0;
    for (int step = first; step < last; ++step) {
        if (entry < row_ends[row]) {
            sum += products[entry++];
        } else {
            sums[row++] = sum;  // A row ends in one thread only.
            sum = 0;
        }
    }
    __syncthreads();
    add_to_rows(row, sum, sums);
    __syncthreads();

    for (int i = threadIdx.x; i <= rows; i += block_size) {
        const int at = begin.row + i;
        if (i > 0 && i < rows)
            y[at] = sums[i];
        else if (at < a.rows)
            atomicAdd(&y[at], sums[i]);  // The row may also be in the tile before, or in the next one.
    }
}

template <unsigned steps_per_thread>
void launch(const Matrix& a, const float* x, float* y) {
    if (a.rows == 0) return;
    CUDA_CHECK(cudaMemsetAsync(y, 0, a.rows * sizeof(float)));
    constexpr unsigned tile = block_size * steps_per_thread;
    const auto blocks = static_cast<unsigned>((std::int64_t{a.rows} + a.entries - 1) / tile + 1);
    multiply<steps_per_thread><<<blocks, block_size>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void merge_tiles(const Matrix& a, const float* x, float* y) {
    launch<7>(a, x, y);
}

void eight_steps(const Matrix& a, const float* x, float* y) {
    launch<8>(a, x, y);
}

/// Of both: in its thread up to 8, by shuffles, in shared memory for each warp, and in global memory for each tile.
static std::size_t roundings(const Matrix&, std::size_t k) {
    return 1 + 8 + 5 + block_size / warp_size + 1 + k / (7 * block_size) + 2;
}

STAGES(Stage{{"blocks share tiles of the path", merge_tiles}, roundings},
       Stage{{"eight_steps", "8 steps per thread: lanes share banks", eight_steps}, roundings});

}  // namespace sparse
