// Lanes without an element have returned, and their values are asked for.
#include <cstdio>

__global__ void sum(const int* x, int n, int* result) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    if (lane >= n) return;
    int value = x[lane];
#else
    int value = lane < n ? x[lane] : 0;
#endif
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);  // expect: warp-mask
    if (lane == 0) *result = value;
}

int main() {
    int *x, *result, host[20], total = 0;
    for (int i = 0; i < 20; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(x, 20, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 190 ? 0 : 1;
}
