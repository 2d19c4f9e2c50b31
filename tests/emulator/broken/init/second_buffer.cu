// Two buffers in device memory take turns; the step reads the one that is still empty.
#include <cstdio>

__global__ void step(const int* from, int* to, int n) {
    const int i = threadIdx.x;
    to[i] = from[i] + from[(i + 1) % n];  // expect: uninitialised
}

int main() {
    const int n = 32;
    int *a, *b, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef BROKEN
    step<<<1, n>>>(b, a, n);
    step<<<1, n>>>(a, b, n);
#else
    step<<<1, n>>>(a, b, n);
    step<<<1, n>>>(b, a, n);
#endif
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    std::printf("%d\n", host[0]);
    return host[0] == 4 ? 0 : 1;
}
