// cudaMemcpy2D() from a packed host image to a pitched one, with the two pitches swapped: it reads beyond the host's
// vector.
#include "../arrays.h"

__global__ void brighten(unsigned char* image, size_t pitch, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width) image[y * pitch + x] += 1;
}

int main() {
    const int width = 100, height = 6;
    std::vector<unsigned char> host(width * height, 7);
    unsigned char* image;
    size_t pitch;
    check(cudaMallocPitch(&image, &pitch, width, height));
    check(cudaMemset2D(image, pitch, 0, width, height));
#ifdef BROKEN
    cudaMemcpy2D(image, width, host.data(), pitch, width, height, cudaMemcpyHostToDevice);  // expect: invalid-copy
#else
    cudaMemcpy2D(image, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice);
#endif
    brighten<<<height, 128>>>(image, pitch, width);
    check(cudaMemcpy2D(host.data(), width, image, pitch, width, height, cudaMemcpyDeviceToHost));
    check(cudaFree(image));
    return differs(host[0], 8);
}
