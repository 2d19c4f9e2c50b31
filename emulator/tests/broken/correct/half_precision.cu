// Numbers of two bytes, alone and in pairs.
#include <cuda_fp16.h>

#include "../arrays.h"

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
    Array<__half> x(64, [](int i) { return __float2half(static_cast<float>(i % 8)); });
    Array<float> y(64);
    Array<__half2> total(1, __half2half2(__float2half(0)));
    sum<<<1, 64>>>(x, y, total);
    return differs(y[0], 8) || differs(__half2float(total[0].x), 64);
}
