// New here: a thread makes 4 x 4 pixels, whose 16 sums stay in registers. It goes down through the rows that they need,
// loads each of them once, in quads, and adds it to all sums that it belongs to. The side of the filter is known when
// the kernel is compiled, so the loops over a row unroll, and a weight's address is a number in the instruction.
// What it should save: requests. For 5 x 5, 24 loads of 16 bytes for 16 pixels, not 25 loads for one.
// What remains: for small filters the bytes, for large ones the arithmetic.

#include <algorithm>
#include <iterator>

#include "common/alignment.h"
#include "common/check.h"
#include "filter.h"

namespace filter {
namespace {

constexpr int block_width = 32, block_height = 8, rows = 4;
constexpr int compiled_sides[] = {3, 5, 9, 15, 31};  // others are the next larger one, in a frame of zeros

__constant__ float weights[most_weights];

template <class T>
struct alignas(16) Quad {
    T pixels[4];
};

/// The `width` pixels of a row from column x on, as sums. With quads, x is a multiple of 4, as is the row's width.
template <class T, int width>
__device__ void load_row(Sum<T> (&values)[width], const T* row, int x, int row_width, bool has_quads) {
#pragma unroll
    for (int i = 0; i < width; i += 4) {
        Quad<T> quad;
        if (has_quads && x + i >= 0 && x + i < row_width)
            quad = *reinterpret_cast<const Quad<T>*>(row + x + i);
        else
            for (int j = 0; j < 4; ++j) quad.pixels[j] = row[clamped(x + i + j, row_width)];
#pragma unroll
        for (int j = 0; j < 4; ++j) values[i + j] = as_sum(quad.pixels[j]);
    }
}

template <int side, class T>
__global__ void __launch_bounds__(block_width* block_height)
    apply(Scale scale, Size size, bool has_quads, const T* in, T* out) {
    constexpr int reach = (side / 2 + 3) / 4 * 4;  // side / 2, in whole quads
    const int x = 4 * (blockIdx.x * block_width + threadIdx.x), y = rows * (blockIdx.y * block_height + threadIdx.y);
    if (x >= size.width || y >= size.height) return;

    Sum<T> sums[rows][4] = {};
#pragma unroll(side <= 5 ? rows + side - 1 : 1)
    for (int v = 0; v < rows + side - 1; ++v) {
        Sum<T> values[4 + 2 * reach];
        const T* row = in + std::size_t(clamped(y + v - side / 2, size.height)) * size.width;
        load_row<T>(values, row, x - reach, size.width, has_quads);
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
    for (int k = 0; k < rows && y + k < size.height; ++k) {
        T* to = out + std::size_t(y + k) * size.width + x;
        Quad<T> quad;
#pragma unroll
        for (int j = 0; j < 4; ++j) quad.pixels[j] = finished(sums[k][j], scale);
        if (has_quads)
            *reinterpret_cast<Quad<T>*>(to) = quad;
        else
            for (int j = 0; j < 4 && x + j < size.width; ++j) to[j] = quad.pixels[j];
    }
}

int compiled_side(int side) {
    return *std::lower_bound(std::begin(compiled_sides), std::end(compiled_sides), side);
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
    const bool has_quads = size.width % 4 == 0 && to_boundary(in) == 0 && to_boundary(out) == 0;
    const dim3 block(block_width, block_height);
    const auto blocks = [](int pixels, int of_block) { return (pixels + of_block - 1) / of_block; };
    const dim3 grid(blocks(size.width, 4 * block_width), blocks(size.height, rows * block_height));
    kernel<<<grid, block>>>(filter.scale, size, has_quads, in, out);
    CUDA_CHECK_LAUNCH();
}

template void registers(const Filter&, Size, const float*, float*, Sum<float>*);
template void registers(const Filter&, Size, const Rgba*, Rgba*, Sum<Rgba>*);

template <class T>
constexpr FilterStage<T> registers_stage{{"4 × 4 pixels per thread, in registers", registers<T>}, load_registers};
STAGES(registers_stage<float>, registers_stage<Rgba>);

}  // namespace filter
