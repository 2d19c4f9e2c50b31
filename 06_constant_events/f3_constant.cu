// New here: the weights lie in constant memory. All lanes of a warp want the same weight at the same time, which is
// what constant memory is made for. What remains: a load for each pixel that a thread needs, side² of them. Most hit
// the L1 cache, but each is a request.

#include "common/check.h"
#include "filter.h"

namespace filter {
namespace {

constexpr int block_width = 32, block_height = 8;

__constant__ float weights[most_weights];

template <class T>
__global__ void apply(int side, Scale scale, Size size, const T* in, T* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
    if (x >= size.width || y >= size.height) return;

    Sum<T> sum{};
    for (int dy = 0; dy < side; ++dy) {
        const T* row = in + std::size_t(clamped(y + dy - side / 2, size.height)) * size.width;
        for (int dx = 0; dx < side; ++dx)
            add(sum, weights[dy * side + dx], as_sum(row[clamped(x + dx - side / 2, size.width)]));
    }
    out[std::size_t(y) * size.width + x] = finished(sum, scale);
}

}  // namespace

void load_constant(const Filter& filter) {
    CUDA_CHECK(cudaMemcpyToSymbol(weights, filter.weights.data(), filter.weights.size() * sizeof(float)));
}

template <class T>
void constant(const Filter& filter, Size size, const T* in, T* out, Sum<T>*) {
    const dim3 block(block_width, block_height);
    const dim3 grid((size.width + block_width - 1) / block_width, (size.height + block_height - 1) / block_height);
    apply<<<grid, block>>>(filter.side, filter.scale, size, in, out);
    CUDA_CHECK_LAUNCH();
}

template void constant(const Filter&, Size, const float*, float*, Sum<float>*);
template void constant(const Filter&, Size, const Rgba*, Rgba*, Sum<Rgba>*);

template <class T>
constexpr FilterStage<T> constant_stage{{"the weights in constant memory", constant<T>}, load_constant};
STAGES(constant_stage<float>, constant_stage<Rgba>);

}  // namespace filter
