#include "strip.h"

#include "common/check.h"
#include "point.h"

namespace stencil {
namespace {

__global__ void step_rows(Plate strip, int begin, int end, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = begin + blockIdx.y * block_height + threadIdx.y;
    if (y < end) step_point(strip.weights, strip.width, strip.height, in, out, x, y);
}

void step_strip(const Plate& strip, int begin, int end, const float* in, float* out, cudaStream_t stream) {
    if (begin >= end) return;
    step_rows<<<grid_for(strip.width, end - begin), dim3(block_width, block_height), 0, stream>>>(strip, begin, end, in,
                                                                                                  out);
    CUDA_CHECK_LAUNCH();
}

/// The blocks of at_cuts start before those of inside that have not started yet.
void make_streams(cudaStream_t& at_cuts, cudaStream_t& inside) {
    int least = 0, greatest = 0;  // of the priorities: greatest is the smallest number
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&at_cuts, cudaStreamNonBlocking, greatest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&inside, cudaStreamNonBlocking, least));
}

}  // namespace

Strip::Strip(const Plate& plate, int number, int strips)
    : first_(static_cast<int>(static_cast<long>(plate.height) * number / strips)),
      height_(static_cast<int>(static_cast<long>(plate.height) * (number + 1) / strips) - first_),
      above_(number > 0 ? 1 : 0),
      plate_{plate.width, above_ + height_ + (number + 1 < strips ? 1 : 0), 1, plate.weights} {
    CUDA_CHECK(cudaGetDevice(&device_));
    const int end = above_ + height_;
    if (above_ == 1) cuts_.push_back({number - 1, 1, 0});
    if (plate_.height > end) cuts_.push_back({number + 1, end - 1, end});
    for (auto& buffer : buffers_) buffer = DeviceBuffer<float>(std::size_t(plate_.width) * plate_.height);
    make_streams(at_cuts_, inside_);
    for (cudaEvent_t* event : {&cuts_done_, &inside_done_})
        CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
}

Strip::~Strip() {
    for (cudaStream_t stream : {at_cuts_, inside_}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {cuts_done_, inside_done_}) cudaEventDestroy(event);
}

void Strip::bring(const float* plate, cudaEvent_t begin) {
    CUDA_CHECK(cudaSetDevice(device_));
    if (begin != nullptr) CUDA_CHECK(cudaStreamWaitEvent(inside_, begin, 0));
    CUDA_CHECK(cudaMemcpyAsync(row(0, 0), plate + std::size_t(first_ - above_) * plate_.width, bytes(plate_.height),
                               cudaMemcpyDefault, inside_));
    CUDA_CHECK(cudaEventRecord(inside_done_, inside_));
}

void Strip::step(int number, Weights weights) {
    plate_.weights = weights;
    CUDA_CHECK(cudaSetDevice(device_));
    CUDA_CHECK(cudaStreamWaitEvent(at_cuts_, inside_done_, 0));  // Both are those of the step before.
    CUDA_CHECK(cudaStreamWaitEvent(inside_, cuts_done_, 0));
    const float* in = row(number - 1, 0);
    float* out = row(number, 0);
    int begin = above_, end = above_ + height_;  // of the rest
    for (const Cut& cut : cuts_) {
        step_strip(plate_, cut.row, cut.row + 1, in, out, at_cuts_);
        (cut.halo < cut.row ? begin : end) += cut.halo < cut.row ? 1 : -1;
    }
    step_strip(plate_, begin, end, in, out, inside_);
    CUDA_CHECK(cudaEventRecord(cuts_done_, at_cuts_));
    CUDA_CHECK(cudaEventRecord(inside_done_, inside_));
}

void Strip::take(float* rows, int steps) {
    CUDA_CHECK(cudaSetDevice(device_));
    CUDA_CHECK(cudaEventRecord(cuts_done_, at_cuts_));  // behind what is still sent
    CUDA_CHECK(cudaStreamWaitEvent(inside_, cuts_done_, 0));
    CUDA_CHECK(cudaMemcpyAsync(rows, row(steps, above_), bytes(height_), cudaMemcpyDefault, inside_));
    CUDA_CHECK(cudaEventRecord(inside_done_, inside_));
}

}  // namespace stencil
