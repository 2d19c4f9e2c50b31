// New here: a block loads its tile, with a halo of side / 2 pixels all around, into shared memory once. What lies
// beyond the border is clamped there, so the sum asks for no border. What it should save: requests to global memory. A
// block of 32 x 8 pixels needs 36 x 12 for a filter of 5 x 5, where the threads ask for 25 each. What remains: side²
// loads from shared memory for each pixel, one for each multiplication.

#include "common/check.h"
#include "filter.h"

namespace filter {
namespace {

constexpr int tile_width = 32, tile_height = 8;  // also the threads of a block

__constant__ float weights[most_weights];

template <class T>
__global__ void apply(int side, Scale scale, Size size, const T* in, T* out) {
    __shared__ T tile[tile_height + largest_side - 1][tile_width + largest_side - 1];

    const int left = blockIdx.x * tile_width, top = blockIdx.y * tile_height;
    for (int ty = threadIdx.y; ty < tile_height + side - 1; ty += tile_height) {
        const T* row = in + std::size_t(clamped(top + ty - side / 2, size.height)) * size.width;
        for (int tx = threadIdx.x; tx < tile_width + side - 1; tx += tile_width)
            tile[ty][tx] = row[clamped(left + tx - side / 2, size.width)];
    }
    __syncthreads();

    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= size.width || y >= size.height) return;
    Sum<T> sum{};
    for (int dy = 0; dy < side; ++dy)
        for (int dx = 0; dx < side; ++dx)
            add(sum, weights[dy * side + dx], as_sum(tile[threadIdx.y + dy][threadIdx.x + dx]));
    out[std::size_t(y) * size.width + x] = finished(sum, scale);
}

}  // namespace

void load_shared_tile(const Filter& filter) {
    CUDA_CHECK(cudaMemcpyToSymbol(weights, filter.weights.data(), filter.weights.size() * sizeof(float)));
}

template <class T>
void shared_tile(const Filter& filter, Size size, const T* in, T* out, Sum<T>*) {
    const dim3 block(tile_width, tile_height);
    const dim3 grid((size.width + tile_width - 1) / tile_width, (size.height + tile_height - 1) / tile_height);
    apply<<<grid, block>>>(filter.side, filter.scale, size, in, out);
    CUDA_CHECK_LAUNCH();
}

template void shared_tile(const Filter&, Size, const float*, float*, Sum<float>*);
template void shared_tile(const Filter&, Size, const Rgba*, Rgba*, Sum<Rgba>*);

template <class T>
constexpr FilterStage<T> shared_tile_stage{{"a tile and its halo in shared memory", shared_tile<T>}, load_shared_tile};
STAGES(shared_tile_stage<float>, shared_tile_stage<Rgba>);

}  // namespace filter
