// Two streams bring the left and the right columns of a matrix, and one column is in both.
#include "../arrays.h"

int main() {
    constexpr int width = 16, height = 8;
    int *source, *x, all[height][width];
    check(cudaMallocHost(&source, sizeof all));
    check(cudaMalloc(&x, sizeof all));
    for (int i = 0; i < width * height; ++i) source[i] = i;
    constexpr std::size_t row = width * sizeof(int);
#ifdef BROKEN
    constexpr int left = 9;
#else
    constexpr int left = 8;
#endif
    cudaStream_t a, b;
    check(cudaStreamCreate(&a));
    check(cudaStreamCreate(&b));
    constexpr auto to_device = cudaMemcpyHostToDevice;
    check(cudaMemcpy2DAsync(x, row, source, row, left * sizeof(int), height, to_device, a));  // expect: unordered
    source += 8;
    check(cudaMemcpy2DAsync(x + 8, row, source, row, row / 2, height, to_device, b));  // expect: unordered, other
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(all, x, sizeof all, cudaMemcpyDeviceToHost));
    check(cudaStreamDestroy(a));
    check(cudaStreamDestroy(b));
    check(cudaFreeHost(source - 8));
    check(cudaFree(x));
    return differs(all[7][15], 127);
}
