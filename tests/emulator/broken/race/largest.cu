// Compared first, stored then: between the two another thread may have stored something larger.
#include <cstdio>

__global__ void largest(const int* x, int* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    if (x[i] > *result)  // expect: race
        *result = x[i];  // expect: race, other
#else
    atomicMax(result, x[i]);
#endif
}

int main() {
    const int n = 128;
    int *x, *result, host[n], answer = 0;
    for (int i = 0; i < n; ++i) host[i] = i * 37 % 128;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof answer);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(result, 0, sizeof answer);
    largest<<<2, 64>>>(x, result);
    cudaMemcpy(&answer, result, sizeof answer, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", answer);
    return answer == 127 ? 0 : 1;
}
