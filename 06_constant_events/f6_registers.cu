// New here: a thread makes 4 x 4 pixels, whose 16 sums stay in registers. It goes down through the rows that they need,
// loads each of them once, in quads, and adds it to all sums that it belongs to. The side of the filter is known when
// the kernel is compiled, so the loops over a row unroll, and a weight's address is a number in the instruction.
// What it should save: requests. For 5 x 5, 24 loads for 16 pixels, not 25 loads for one.
// What remains: the arithmetic, side² products per pixel.

#include "common/check.h"
#include "quads.h"

namespace filter {
namespace {

constexpr int block_width = 32, block_height = 4, rows = 4;

__constant__ float weights[most_weights];

/// The `width` pixels of a row from column x on, as sums. Inside the picture no branch waits for one row's loads before
/// the next row's begin.
template <bool inside, class T, int width>
__device__ void load_row(Sum<T> (&values)[width], const T* row, int x, int row_width, bool has_quads) {
#pragma unroll
    for (int i = 0; i < width; i += 4) {
        Quad<T> quad;
        if (inside || (has_quads && x + i >= 0 && x + i < row_width))
            quad = *reinterpret_cast<const Quad<T>*>(row + x + i);
        else
            for (int j = 0; j < 4; ++j) quad.pixels[j] = row[clamped(x + i + j, row_width)];
#pragma unroll
        for (int j = 0; j < 4; ++j) values[i + j] = as_sum(quad.pixels[j]);
    }
}

/// Makes the 4 x 4 pixels from (x, y) on. inside: all pixels that they need are in the picture, and in quads.
template <int side, bool inside, class T>
__device__ void make_pixels(Scale scale, Size size, bool has_quads, int x, int y, const T* in, T* out) {
    constexpr int reach = 4 * quads_in_reach(side);
    Sum<T> sums[rows][4] = {};
#pragma unroll(side <= 9 ? rows + side - 1 : 1)
    for (int v = 0; v < rows + side - 1; ++v) {
        const int from = y + v - side / 2;
        const T* row = in + std::size_t(inside ? from : clamped(from, size.height)) * size.width;
        Sum<T> values[4 + 2 * reach];
        load_row<inside>(values, row, x - reach, size.width, has_quads);
#pragma unroll
        for (int k = 0; k < rows; ++k) {
            const int dy = v - k;  // the row of weights between this row of pixels and row k of the sums
            if (dy < 0 || dy >= side) continue;
#pragma unroll
            for (int dx = 0; dx < side; ++dx)
#pragma unroll
                for (int j = 0; j < 4; ++j) add(sums[k][j], weights[dy * side + dx], values[reach - side / 2 + dx + j]);
        }
    }

#pragma unroll
    for (int k = 0; k < rows; ++k) {
        Quad<T> quad;
#pragma unroll
        for (int j = 0; j < 4; ++j) quad.pixels[j] = finished(sums[k][j], scale);
        if (inside || y + k < size.height)
            store(quad, inside || has_quads, out + std::size_t(y + k) * size.width, x, size.width);
    }
}

/// Of the smallest filters 8 blocks shall fit on a multiprocessor, with at most 64 registers for a thread.
template <int side, class T>
__global__ void __launch_bounds__(block_width* block_height, side <= 5 && std::is_same_v<T, float> ? 8 : 1)
    apply(Scale scale, Size size, bool has_quads, const T* __restrict__ in, T* __restrict__ out) {
    constexpr int reach = 4 * quads_in_reach(side);
    const int left = 4 * blockIdx.x * block_width, top = rows * blockIdx.y * block_height;  // of the block
    const int right = left + 4 * block_width, bottom = top + rows * block_height;
    const int x = left + 4 * threadIdx.x, y = top + rows * threadIdx.y;
    if (x >= size.width || y >= size.height) return;

    const bool is_inside =
        left >= reach && right + reach <= size.width && top >= side / 2 && bottom + side / 2 <= size.height;
    if (side <= 9 && has_quads && is_inside)  // at 31 x 31 hardly any warp waits for loads
        make_pixels<side, true>(scale, size, has_quads, x, y, in, out);
    else
        make_pixels<side, false>(scale, size, has_quads, x, y, in, out);
}

}  // namespace

void load_registers(const Filter& filter) {
    const int side = compiled_side(filter.side), frame = (side - filter.side) / 2;
    std::vector<float> framed(side * side);
    for (int dy = 0; dy < filter.side; ++dy)
        std::copy_n(&filter.weights[dy * filter.side], filter.side, &framed[(dy + frame) * side + frame]);
    CUDA_CHECK(cudaMemcpyToSymbol(weights, framed.data(), framed.size() * sizeof(float)));
}

template <class T>
void registers(const Filter& filter, Size size, const T* in, T* out, Sum<T>*) {
    const int side = compiled_side(filter.side);
    const auto kernel = side == 3    ? apply<3, T>
                        : side == 5  ? apply<5, T>
                        : side == 9  ? apply<9, T>
                        : side == 15 ? apply<15, T>
                                     : apply<31, T>;
    const dim3 block(block_width, block_height);
    const auto blocks = [](int pixels, int of_block) { return (pixels + of_block - 1) / of_block; };
    const dim3 grid(blocks(size.width, 4 * block_width), blocks(size.height, rows * block_height));
    kernel<<<grid, block>>>(filter.scale, size, are_quads(size, in, out), in, out);
    CUDA_CHECK_LAUNCH();
}

template void registers(const Filter&, Size, const float*, float*, Sum<float>*);
template void registers(const Filter&, Size, const Rgba*, Rgba*, Sum<Rgba>*);

template <class T>
constexpr FilterStage<T> registers_stage{{"4 × 4 pixels per thread, in registers", registers<T>}, load_registers};
STAGES(registers_stage<float>, registers_stage<Rgba>);

}  // namespace filter
