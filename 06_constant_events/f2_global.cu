// New here: one thread per pixel. The weights lie in global memory, as the pixels do.
// What remains: for each product two loads, a weight and a pixel. All lanes of a warp want the same weight. And each
// pixel is loaded side² times by the threads around it.

#include "common/check.h"
#include "common/device_buffer.h"
#include "filter.h"

namespace filter {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class T>
__global__ void apply(const float* weights, int side, Scale scale, Size size, const T* in, T* out) {
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

DeviceBuffer<float> weights;

}  // namespace

void load_global(const Filter& filter) {
    weights = DeviceBuffer<float>::from_host(filter.weights);
}

template <class T>
void global(const Filter& filter, Size size, const T* in, T* out, Sum<T>*) {
    const dim3 block(block_width, block_height);
    const dim3 grid((size.width + block_width - 1) / block_width, (size.height + block_height - 1) / block_height);
    apply<<<grid, block>>>(weights.data(), filter.side, filter.scale, size, in, out);
    CUDA_CHECK_LAUNCH();
}

template void global(const Filter&, Size, const float*, float*, Sum<float>*);
template void global(const Filter&, Size, const Rgba*, Rgba*, Sum<Rgba>*);

template <class T>
constexpr FilterStage<T> global_stage{{"one thread per pixel, the weights in global memory", global<T>}, load_global};
STAGES(global_stage<float>, global_stage<Rgba>);

}  // namespace filter
