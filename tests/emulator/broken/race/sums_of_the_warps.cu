// Warp 0 adds up what the other warps have left, if they have.
#include <cstdio>

__device__ int warp_sum(int value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
    return value;
}

__global__ void sum(const int* x, int* result) {
    __shared__ int sums[4];
    const int t = threadIdx.x;
    const int mine = warp_sum(x[t]);
    if (t % 32 == 0) sums[t / 32] = mine;  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    if (t < 32) {
        const int total = warp_sum(t < 4 ? sums[t] : 0);  // expect: race, other
        if (t == 0) *result = total;
    }
}

int main() {
    int *x, *result, host[128], total = 0;
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(x, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 8128 ? 0 : 1;
}
