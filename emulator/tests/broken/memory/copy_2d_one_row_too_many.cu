// cudaMemcpy2D() is told one row more than the allocation has.
#include "../arrays.h"

__global__ void fill(char* image, size_t pitch, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width) image[y * pitch + x] = static_cast<char>(y);
}

int main() {
    const int width = 100, height = 6;
    char *image, host[height + 1][width] = {};
    size_t pitch;
    cudaMallocPitch(&image, &pitch, width, height);
    fill<<<height, 128>>>(image, pitch, width);
#ifdef BROKEN
    cudaMemcpy2D(host, width, image, pitch, width, height + 1, cudaMemcpyDeviceToHost);  // expect: invalid-copy
#else
    cudaMemcpy2D(host, width, image, pitch, width, height, cudaMemcpyDeviceToHost);
#endif
    cudaFree(image);
    return differs(host[height - 1][width - 1], height - 1);
}
