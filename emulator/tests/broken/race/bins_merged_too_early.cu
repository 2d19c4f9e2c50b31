// Each warp counts into bins of its own; they are added up before the other warps have counted.
#include "../arrays.h"

__global__ void histogram(const unsigned char* x, unsigned* bins, int n) {
    __shared__ unsigned counts[4][32];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    counts[warp][lane] = 0;  // may: race
    __syncwarp();
    for (int i = t; i < n; i += 128) atomicAdd(&counts[warp][x[i] % 32], 1);  // expect: race, other
#ifdef BROKEN
    __syncwarp();
#else
    __syncthreads();
#endif
    if (t < 32) bins[t] = counts[0][t] + counts[1][t] + counts[2][t] + counts[3][t];  // expect: race
}

int main() {
    Array<unsigned char> x(1000, [](int i) { return i % 32; });
    Array<unsigned> bins(32);
    histogram<<<1, 128>>>(x, bins, 1000);
    return differs(bins[5], 32);
}
