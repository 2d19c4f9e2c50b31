// The rows lie 512 bytes apart and are read as if they followed each other: what lies between them belongs to no row.
#include "../arrays.h"

__global__ void sums(const int* image, int distance, int width, int* y) {
    const int* row = image + threadIdx.x * distance;
    int total = 0;
    for (int i = 0; i < width; ++i) total += row[i];  // expect: out-of-bounds
    y[threadIdx.x] = total;
}

int main() {
    const int width = 50, height = 8;
    int *image, *y, host[height][width], result[height] = {};
    size_t pitch;
    for (int i = 0; i < width * height; ++i) host[i / width][i % width] = i;
    cudaMallocPitch(&image, &pitch, width * sizeof(int), height);
    cudaMalloc(&y, sizeof result);
    cudaMemcpy2D(image, pitch, host, width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice);
#ifdef BROKEN
    sums<<<1, height>>>(image, width, width, y);
#else
    sums<<<1, height>>>(image, pitch / sizeof(int), width, y);
#endif
    cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(image);
    cudaFree(y);
    return differs(result[1], 3725);
}
