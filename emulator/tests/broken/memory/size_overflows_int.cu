// The number of bytes is computed in int, overflows, and no such memory can be had; the kernel gets the null pointer.
#include "../arrays.h"

__global__ void fill(float* x, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] = 7;  // expect: out-of-bounds
}

int main() {
#ifdef BROKEN
    const int width = std::atoi("30000"), height = std::atoi("20000");
#else
    const int width = std::atoi("300"), height = std::atoi("200");
#endif
    float *x = nullptr, first = 0;
    cudaMalloc(&x, width * height * static_cast<int>(sizeof(float)));  // expect: failed-call
    // says: As a number with a sign that is -1894967296
    fill<<<4, 128>>>(x, 4 * 128);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(first, 7);
}
