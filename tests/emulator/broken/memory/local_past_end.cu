// A thread counts the remainders 0 ... 4 in an array for four.
#include <cstdio>

__global__ void most_frequent(const int* x, int n, int* y) {
#ifdef BROKEN
    int count[4] = {};
#else
    int count[5] = {};
#endif
    for (int i = threadIdx.x; i < n; i += blockDim.x) ++count[x[i] % 5];  // expect: out-of-bounds
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (count[i] > count[best]) best = i;
    y[threadIdx.x] = best;
}

int main() {
    const int n = 200;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i % 3 == 0 ? 5 * i + 2 : i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    most_frequent<<<1, 8>>>(x, n, y);
    cudaMemcpy(host, y, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[0]);
    return host[0] == 2 ? 0 : 1;
}
