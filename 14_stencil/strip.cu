#include "strip.h"

#include "common/check.h"
#include "point.h"

namespace stencil {
namespace {

__global__ void step_rows(Plate strip, int begin, int end, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = begin + blockIdx.y * block_height + threadIdx.y;
    if (y < end) step_point(strip.weights, strip.width, strip.height, in, out, x, y);
}

}  // namespace

void step_strip(const Plate& strip, int begin, int end, const float* in, float* out, cudaStream_t stream) {
    if (begin >= end) return;
    step_rows<<<grid_for(strip.width, end - begin), dim3(block_width, block_height), 0, stream>>>(strip, begin, end, in,
                                                                                                  out);
    CUDA_CHECK_LAUNCH();
}

void make_streams(cudaStream_t& at_cuts, cudaStream_t& inside) {
    int least = 0, greatest = 0;  // of the priorities: greatest is the smallest number
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&at_cuts, cudaStreamNonBlocking, greatest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&inside, cudaStreamNonBlocking, least));
}

}  // namespace stencil
