// Each warp counts into bins of its own, but only as many bins are cleared as one warp has.
#include "../arrays.h"

constexpr int warps = 4, bins = 64;

__global__ void count(const unsigned char* x, int n, int* counts) {
    __shared__ int own[warps][bins];
#ifdef BROKEN
    for (int i = threadIdx.x; i < bins; i += blockDim.x) (&own[0][0])[i] = 0;
#else
    for (int i = threadIdx.x; i < warps * bins; i += blockDim.x) own[i / bins][i % bins] = 0;
#endif
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&own[threadIdx.x / 32][x[i] % bins], 1);  // expect: uninitialised
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        int sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += own[warp][i];  // may: uninitialised
        counts[i] = sum;
    }
}

int main() {
    const int n = 1000;
    Array<unsigned char> x(n, [](int i) { return i * i % 251; });
    Array<int> counts(bins);
    count<<<1, 32 * warps>>>(x, n, counts);
    int sum = 0;
    for (int i = 0; i < bins; ++i) sum += counts[i];
    return differs(sum, n);
}
