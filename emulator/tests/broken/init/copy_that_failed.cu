// A copy to the device fails, and nobody looks: the kernel reads what was never written.
#include "../arrays.h"

__global__ void twice(float* x, std::size_t pitch, int width) {
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(x) + threadIdx.x * pitch);
    for (int i = 0; i < width; ++i) row[i] *= 2;  // expect: uninitialised
}

int main() {
    constexpr int width = 50, height = 8;
    constexpr std::size_t row = width * sizeof(float);
    float host[height][width] = {}, *x = nullptr;
    host[1][1] = 4;
    std::size_t pitch = 0;
    check(cudaMallocPitch(&x, &pitch, row, height));
#ifdef BROKEN
    cudaMemcpy2D(x, pitch, host, width, row, height, cudaMemcpyHostToDevice);  // expect: failed-call
#else
    cudaMemcpy2D(x, pitch, host, row, row, height, cudaMemcpyHostToDevice);
#endif
    twice<<<1, height>>>(x, pitch, width);
    // says: before that, host code calls cudaMemcpy2D(), which answers cudaErrorInvalidPitchValue
    check(cudaMemcpy2D(host, row, x, pitch, row, height, cudaMemcpyDeviceToHost));
    check(cudaFree(x));
    return differs(host[1][1], 8);
}
