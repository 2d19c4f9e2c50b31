// Each block begins with another weight: all lanes of a warp still read the same word.

#include "common/check.h"

__constant__ int weights[64];

__global__ void filter_kernel(const int* in, int count, int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int sum = 0;
        for (int k = 0; k < count; ++k) {
            const int ours = (k + blockIdx.x) % count;
            sum += weights[ours] * in[i + ours];
        }
        out[i] = sum;
    }
}

void filter(const int* in, const int* host_weights, int count, int* out, int n) {
    CUDA_CHECK(cudaMemcpyToSymbol(weights, host_weights, count * sizeof(int), 0, cudaMemcpyHostToDevice));
    filter_kernel<<<20, 96>>>(in, count, out, n);
    CUDA_CHECK_LAUNCH();
}
