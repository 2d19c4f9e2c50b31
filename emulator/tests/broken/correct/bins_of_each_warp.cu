// Each warp clears its own bins and counts into them, with __syncwarp() between; the block's barrier comes before they
// meet.
#include "../arrays.h"

constexpr int warps = 4, bins = 50;

__global__ void count(const unsigned char* x, int n, int* counts) {
    __shared__ int own[warps][bins];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = lane; i < bins; i += 32) own[warp][i] = 0;
    __syncwarp();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[warp][x[i] % bins], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        int sum = 0;
        for (int w = 0; w < warps; ++w) sum += own[w][i];
        if (sum > 0) atomicAdd(&counts[i], sum);
    }
}

int main() {
    const int n = 1000;
    Array<unsigned char> x(n, [](int i) { return i * i % 251; });
    Array<int> counts(bins, 0);
    count<<<2, 32 * warps>>>(x, n, counts);
    int sum = 0;
    for (int i = 0; i < bins; ++i) sum += counts[i];
    return differs(sum, n);
}
