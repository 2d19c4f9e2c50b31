// An insertion sort in a local array asks for the value in front of the first before it asks whether there is one.
#include <cstdio>

__global__ void median(const int* x, int* y) {
    int sorted[5];
    for (int i = 0; i < 5; ++i) {
        const int value = x[5 * threadIdx.x + i];
        int j = i;
#ifdef BROKEN
        while (sorted[j - 1] > value && j > 0) {  // expect: out-of-bounds
#else
        while (j > 0 && sorted[j - 1] > value) {
#endif
            sorted[j] = sorted[j - 1];
            --j;
        }
        sorted[j] = value;
    }
    y[threadIdx.x] = sorted[2];
}

int main() {
    const int n = 160;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i * 7 % 11;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    median<<<1, 32>>>(x, y);
    cudaMemcpy(host, y, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[0]);  // of 0 7 3 10 6
    return host[0] == 6 ? 0 : 1;
}
