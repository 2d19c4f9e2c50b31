// The coefficients for the second kernel are copied in a stream of their own, while the first kernel may read the old
// ones.
#include "../arrays.h"

__constant__ float coefficients[4];

__global__ void polynomial(float* x) {
    float sum = 0;
    for (int k = 3; k >= 0; --k) sum = sum * x[threadIdx.x] + coefficients[k];  // expect: unordered
    x[threadIdx.x] = sum;
}

int main() {
    Array<float> x(32, [](int i) { return i; });
    float* next;
    check(cudaMallocHost(&next, 4 * sizeof(float)));
    cudaStream_t work, copies;
    check(cudaStreamCreate(&work));
    check(cudaStreamCreate(&copies));
    for (int k = 0; k < 4; ++k) next[k] = 1;
    check(cudaMemcpyToSymbol(coefficients, next, 4 * sizeof(float)));
    polynomial<<<1, 32, 0, work>>>(x);
#ifdef BROKEN
    cudaStream_t stream = copies;
#else
    cudaStream_t stream = work;
#endif
    constexpr std::size_t bytes = 2 * sizeof(float);
    constexpr auto to_device = cudaMemcpyHostToDevice;
    check(cudaMemcpyToSymbolAsync(coefficients, next, bytes, 0, to_device, stream));  // expect: unordered, other
    check(cudaDeviceSynchronize());
    check(cudaStreamDestroy(work));
    check(cudaStreamDestroy(copies));
    check(cudaFreeHost(next));
    return differs(x[2], 15);
}
