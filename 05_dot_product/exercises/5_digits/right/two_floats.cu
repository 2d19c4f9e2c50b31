// Without doubles: what each product and each addition loses is added up in a second float (Ogita, Rump and Oishi's
// Dot2).

#include "common/check.h"

struct Sum {
    float high = 0, low = 0;
};

__device__ Sum add(Sum sum, float x, float lost) {
    const float next = sum.high + x;
    const float added = next - sum.high;
    sum.low += (sum.high - (next - added)) + (x - added) + lost;
    sum.high = next;
    return sum;
}

__device__ Sum warp_sum(Sum sum) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const float high = __shfl_down_sync(0xffffffff, sum.high, distance);
        const float low = __shfl_down_sync(0xffffffff, sum.low, distance);
        sum = add(sum, high, low);
    }
    return sum;
}

__global__ void dot_kernel(const float* a, const float* b, int n, Sum* sums) {
    Sum sum;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float product = a[i] * b[i];
        sum = add(sum, product, fmaf(a[i], b[i], -product));
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

__global__ void add_sums(const Sum* sums, float* result) {
    const Sum sum = warp_sum(add(sums[threadIdx.x], sums[threadIdx.x + 32].high, sums[threadIdx.x + 32].low));
    if (threadIdx.x == 0) *result = sum.high + sum.low;
}

void dot(const float* a, const float* b, int n, float* result, void* workspace) {
    Sum* sums = static_cast<Sum*>(workspace);
    dot_kernel<<<16, 128>>>(a, b, n, sums);
    add_sums<<<1, 32>>>(sums, result);
    CUDA_CHECK_LAUNCH();
}
