// Half of the lanes ask all 32 for their values.
#include <cstdio>

__global__ void sum(const int* x, int* result) {
    const int lane = threadIdx.x;
    int value = x[lane];
#ifdef BROKEN
    if (lane < 16) {
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);  // expect: warp-mask
    }
#else
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
#endif
    if (lane == 0) *result = value;
}

int main() {
    int *x, *result, host[32], total = 0;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(x, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 496 ? 0 : 1;
}
