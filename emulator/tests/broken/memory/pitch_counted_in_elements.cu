// A pitch is a number of bytes; added to a float* it leads four times as far.
#include "../arrays.h"

__global__ void fill(float* image, size_t pitch, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
#ifdef BROKEN
    float* row = image + y * pitch;
#else
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
#endif
    if (x < width) row[x] = y;  // expect: out-of-bounds
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
