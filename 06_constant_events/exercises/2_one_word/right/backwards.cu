// From the last weight to the first.

#include "common/check.h"

__constant__ int coefficients[64];

__global__ void filter_kernel(const int* in, int count, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 0;
        for (const int *weight = coefficients + count, *element = in + i + count; weight != coefficients;)
            out[i] += *--weight * *--element;
    }
}

void filter(const int* in, const int* host_weights, int count, int* out, int n) {
    if (n == 0) return;
    void* address = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(&address, coefficients));
    CUDA_CHECK(cudaMemcpy(address, host_weights, count * sizeof(int), cudaMemcpyHostToDevice));
    filter_kernel<<<(n + 127) / 128, 128>>>(in, count, out, n);
    CUDA_CHECK_LAUNCH();
}
