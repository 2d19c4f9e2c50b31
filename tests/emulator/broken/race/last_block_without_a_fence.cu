// The block that counts last adds up all sums, but without a fence the count may be seen before the sum.
#include <cstdio>

__global__ void sum(const int* x, int* sums, unsigned* count, int* result) {
    int total = 0;
    for (int i = 0; i < 32; ++i) total += x[32 * blockIdx.x + i];
    sums[blockIdx.x] = total;  // expect: race
#ifndef BROKEN
    __threadfence();
#endif
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
#ifndef BROKEN
        __threadfence();
#endif
        int all = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) all += sums[i];  // expect: race, other
        *result = all;
    }
}

int main() {
    const int n = 256;
    int *x, *sums, *result, host[n], total = 0;
    unsigned* count;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&sums, 8 * sizeof(int));
    cudaMalloc(&count, sizeof(unsigned));
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof(unsigned));
    sum<<<8, 1>>>(x, sums, count, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    for (int* p : {x, sums, result}) cudaFree(p);
    cudaFree(count);
    std::printf("%d\n", total);
    return total == 32640 ? 0 : 1;
}
