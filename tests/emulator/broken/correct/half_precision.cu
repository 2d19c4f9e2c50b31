// Numbers of two bytes, alone and in pairs.
#include <cuda_fp16.h>

#include <cstdio>

__global__ void sum(const __half* x, float* y, __half2* total) {
    __shared__ __half cache[64];
    const int t = threadIdx.x;
    cache[t] = __hadd(x[t], __float2half(1));
    __syncthreads();
    y[t] = __half2float(cache[63 - t]);
    if (t < 32) {
        const __half2 pair = reinterpret_cast<const __half2*>(cache)[t];
        atomicAdd(total, __hmul2(pair, __float2half2_rn(0.5f)));
    }
}

int main() {
    __half *x, host[64];
    __half2 *total, pair;
    float *y, result = 0;
    for (int i = 0; i < 64; ++i) host[i] = __float2half(static_cast<float>(i % 8));
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, 64 * sizeof(float));
    cudaMalloc(&total, sizeof pair);
    cudaMemset(total, 0, sizeof pair);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(x, y, total);
    cudaMemcpy(&result, y, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(&pair, total, sizeof pair, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", result, __half2float(pair.x));
    return result == 8 && __half2float(pair.x) == 64 ? 0 : 1;
}
