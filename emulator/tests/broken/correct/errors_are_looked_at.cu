// Calls and launches that fail, in programs that look at the error, or ask on purpose.
#include "../arrays.h"

__global__ void fill(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

int main() {
    const int n = 500;
    int *x, *y = nullptr;
    check(cudaMalloc(&x, n * sizeof(int)));

    // The largest block that is possible, by trying.
    int threads = 4096;
    for (; threads > 0; threads /= 2) {
        fill<<<1, threads>>>(x, n);
        if (cudaGetLastError() == cudaSuccess) break;
    }
    fill<<<1, 2 * threads>>>(x, n);
    if (cudaPeekAtLastError() != cudaSuccess) fill<<<(n + threads - 1) / threads, threads>>>(x, n);

    // As much memory as there is.
    std::size_t bytes = std::size_t{1} << 56;
    while (bytes > 1 << 20 && cudaMalloc(&y, bytes) != cudaSuccess) bytes /= 256;
    check(cudaFree(y));

    // Is there a second device, or an event that has its time?
    bool second = cudaSetDevice(1) == cudaSuccess;
    (void)cudaSetDevice(1);
    static_cast<void>(cudaSetDevice(1));
    if (cudaError_t error = cudaSetDevice(2)) std::printf("%s\n", cudaGetErrorName(error));
    cudaEvent_t event;
    check(cudaEventCreate(&event));
    float milliseconds = 0;
    const cudaError_t error = cudaEventElapsedTime(&milliseconds, event, event);
    second = second || error == cudaSuccess;
    cudaEventQuery(event);
    cudaStreamQuery(nullptr);
    cudaEventDestroy(event);

    // What was left behind is cleared away.
    cudaSetDevice(3);
    cudaGetLastError();
    cudaFree(nullptr);
    cudaFree(0);
    int last = 0;
    check(cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    check(cudaFree(x));
    return differs(second ? 0 : last, n - 1);
}
