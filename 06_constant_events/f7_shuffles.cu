// New here: both sums of a product in one pass, and all of them in registers. A thread sums up its four columns, for 4
// rows. Then the lanes of a warp exchange these sums by shuffles, and add them along the rows.
// What it should save: the way of the sums through global memory, and most loads. For 5 x 5, 8 loads for 16 pixels.
// What remains: for small filters the bytes. A few lanes on each side of a warp only serve their neighbours.

#include <algorithm>

#include "common/check.h"
#include "common/errors.h"
#include "quads.h"

namespace filter {
namespace {

constexpr int block_height = 8, rows = 4;  // of a warp, which has 32 quads of a row

__constant__ float line[largest_side];

/// The pixels of a row from column x on. Beyond the ends of a row of quads it's the nearest quad.
template <bool in_quads, class T>
__device__ Quad<T> load(const T* row, int x, int row_width) {
    if constexpr (in_quads) {
        return *reinterpret_cast<const Quad<T>*>(row + min(max(x, 0), row_width - 4));
    } else {
        Quad<T> quad;
        for (int j = 0; j < 4; ++j) quad.pixels[j] = row[clamped(x + j, row_width)];
        return quad;
    }
}

/// Beyond the ends of a row, the sums of the nearest quad become those of the nearest column.
template <class S>
__device__ void clamp_columns(S (&columns)[4], int x, int row_width) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        if (x < 0) columns[j] = columns[0];
        if (x >= row_width) columns[j] = columns[3];
    }
}

__device__ float of_lane(float value, int lane) {
    return __shfl_sync(~0u, value, lane);
}
__device__ float4 of_lane(const float4& value, int lane) {
    return {of_lane(value.x, lane), of_lane(value.y, lane), of_lane(value.z, lane), 0};
}

template <int side, bool in_quads, class T>
__global__ void __launch_bounds__(32 * block_height)
    apply(Scale scale, Size size, const T* __restrict__ in, T* __restrict__ out) {
    constexpr int reach = quads_in_reach(side);  // lanes on each side that make no pixels
    const int lane = threadIdx.x, x = 4 * (static_cast<int>(blockIdx.x) * (32 - 2 * reach) + lane - reach);
    const int y = rows * (blockIdx.y * block_height + threadIdx.y);
    if (y >= size.height) return;  // the whole warp

    Sum<T> columns[rows][4] = {};
#pragma unroll
    for (int v = 0; v < rows + side - 1; ++v) {
        const T* row = in + std::size_t(clamped(y + v - side / 2, size.height)) * size.width;
        const Quad<T> quad = load<in_quads>(row, x, size.width);
#pragma unroll
        for (int k = 0; k < rows; ++k)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (v >= k && v - k < side) add(columns[k][j], line[v - k], as_sum(quad.pixels[j]));
    }

    const bool makes_pixels = lane >= reach && lane < 32 - reach && x < size.width;
#pragma unroll
    for (int k = 0; k < rows; ++k) {
        if (in_quads) clamp_columns(columns[k], x, size.width);
        Sum<T> sums[4] = {};
#pragma unroll
        for (int i = 0; i < side + 3; ++i) {
            const int from = 4 * reach + i - side / 2;  // counted from the first column of lane - reach
            const int away = from / 4 - reach;
            const Sum<T> column = away == 0 ? columns[k][from % 4] : of_lane(columns[k][from % 4], lane + away);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (i >= j && i - j < side) add(sums[j], line[i - j], column);
        }
        Quad<T> quad;
#pragma unroll
        for (int j = 0; j < 4; ++j) quad.pixels[j] = finished(sums[j], scale);
        if (makes_pixels && y + k < size.height)
            store(quad, in_quads, out + std::size_t(y + k) * size.width, x, size.width);
    }
}

template <bool in_quads, class T>
auto kernel_of(int side) {
    return side == 3    ? apply<3, in_quads, T>
           : side == 5  ? apply<5, in_quads, T>
           : side == 9  ? apply<9, in_quads, T>
           : side == 15 ? apply<15, in_quads, T>
                        : apply<31, in_quads, T>;
}

}  // namespace

void load_shuffles(const Filter& filter) {
    const int side = compiled_side(filter.side);
    std::vector<float> framed(side);
    std::copy(filter.line.begin(), filter.line.end(), framed.begin() + (side - filter.side) / 2);
    CUDA_CHECK(cudaMemcpyToSymbol(line, framed.data(), framed.size() * sizeof(float)));
}

template <class T>
void shuffles(const Filter& filter, Size size, const T* in, T* out, Sum<T>*) {
    if (filter.line.empty()) throw usage_error("f7_shuffles: the filter's weights are no product of two lines");
    const int side = compiled_side(filter.side);
    const auto kernel = are_quads(size, in, out) ? kernel_of<true, T>(side) : kernel_of<false, T>(side);
    const auto blocks = [](int pixels, int of_block) { return (pixels + of_block - 1) / of_block; };
    const dim3 grid(blocks(size.width, 4 * (32 - 2 * quads_in_reach(side))), blocks(size.height, rows * block_height));
    kernel<<<grid, dim3(32, block_height)>>>(filter.scale, size, in, out);
    CUDA_CHECK_LAUNCH();
}

template void shuffles(const Filter&, Size, const float*, float*, Sum<float>*);
template void shuffles(const Filter&, Size, const Rgba*, Rgba*, Sum<Rgba>*);

template <class T>
constexpr FilterStage<T> shuffles_stage{{"both sums in one pass, by shuffles", shuffles<T>}, load_shuffles, true};
STAGES(shuffles_stage<float>, shuffles_stage<Rgba>);

}  // namespace filter
