// Behind the 50 elements of a row there is room up to the pitch, and it is not the row's.
#include "../arrays.h"

__global__ void fill(float* image, size_t pitch, int width) {
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + blockIdx.x * pitch);
#ifdef BROKEN
    if (static_cast<int>(threadIdx.x) <= width) row[threadIdx.x] = blockIdx.x;  // expect: out-of-bounds
#else
    if (static_cast<int>(threadIdx.x) < width) row[threadIdx.x] = blockIdx.x;
#endif
}

int main() {
    const int width = 50, height = 10;
    float *image, host[height][width] = {};
    size_t pitch;
    cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
    fill<<<height, 64>>>(image, pitch, width);
    cudaMemcpy2D(host, width * sizeof(float), image, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
    cudaFree(image);
    return differs(host[height - 1][width - 1], 9);
}
