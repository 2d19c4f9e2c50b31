// The host does not wait for cudaMemcpy() from device memory to device memory, and nor does the kernel's stream.
#include "../arrays.h"

__global__ void change(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 3 * x[i] + 1;  // expect: unordered
}

int main() {
    constexpr int n = 300;
    Array<int> x(n, [](int i) { return i; }), y(n, 0);
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMemcpy(y, x, n * sizeof(int), cudaMemcpyDeviceToDevice));  // expect: unordered, other
#ifndef BROKEN
    check(cudaStreamSynchronize(cudaStreamLegacy));
#endif
    change<<<3, 100, 0, stream>>>(y, n);
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    return differs(y[n - 1], 3 * x[n - 1] + 1);
}
