// Thread 0 announces the next step while others still read the last announcement.
#include <cstdio>

__global__ void walk(const int* steps, int n, int* x) {
    __shared__ int step;
    const int t = threadIdx.x;
    int place = t;
    for (int i = 0; i < n; ++i) {
        if (t == 0) step = steps[i];  // expect: race
        __syncthreads();
        place += step;  // expect: race, other
#ifndef BROKEN
        __syncthreads();
#endif
    }
    x[t] = place;
}

int main() {
    const int n = 5;
    int *steps, *x, host[64] = {1, 10, 100, 1000, 10000};
    cudaMalloc(&steps, n * sizeof(int));
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(steps, host, n * sizeof(int), cudaMemcpyHostToDevice);
    walk<<<1, 64>>>(steps, n, x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(steps);
    cudaFree(x);
    std::printf("%d\n", host[63]);
    return host[63] == 11174 ? 0 : 1;
}
