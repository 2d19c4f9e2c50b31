// The waits follow the records, and the last step has none.

#include "common/check.h"

/// A step of the points from `begin` to `end`; both ends of the bar keep their temperature.
__global__ void step_part(const float* in, float* out, int n, int begin, int end) {
    const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= end) return;
    out[i] = i == 0 || i == n - 1 ? in[i] : 0.5f * in[i] + 0.25f * (in[i - 1] + in[i + 1]);
}

void launch_part(const float* in, float* out, int n, int begin, int end, cudaStream_t stream) {
    if (begin == end) return;
    step_part<<<(end - begin + 255) / 256, 256, 0, stream>>>(in, out, n, begin, end);
    CUDA_CHECK_LAUNCH();
}

/// start, first, second: n floats each in device memory; n may be 0. start: the temperatures at the start. The first
/// step writes to `first`, the second to `second`, the third to `first` again, and so on.
void heat_bar(const float* start, float* first, float* second, int n, int steps) {
    cudaStream_t left, right;
    cudaEvent_t left_done, right_done;
    for (cudaStream_t* stream : {&left, &right}) CUDA_CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    for (cudaEvent_t* event : {&left_done, &right_done})
        CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));

    const float* from = start;
    float* to = first;
    for (int step = 0; step < steps; ++step) {
        launch_part(from, to, n, 0, n / 2, left);
        launch_part(from, to, n, n / 2, n, right);
        CUDA_CHECK(cudaEventRecord(left_done, left));
        CUDA_CHECK(cudaEventRecord(right_done, right));
        if (step + 1 < steps) {
            CUDA_CHECK(cudaStreamWaitEvent(left, right_done, 0));
            CUDA_CHECK(cudaStreamWaitEvent(right, left_done, 0));
        }
        from = to;
        to = to == first ? second : first;
    }

    for (cudaStream_t stream : {left, right}) {
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
    for (cudaEvent_t event : {left_done, right_done}) CUDA_CHECK(cudaEventDestroy(event));
}
