// Each warp scans its part of the array in shared memory. __syncwarp() stands behind the store only: a lane that is
// ahead has stored when its neighbour loads.
#include "../arrays.h"

__global__ void scan(const int* x, int* y) {
    __shared__ int sums[4][32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int* row = sums[threadIdx.x / 32];
    row[lane] = x[i];
    __syncwarp();
    for (int distance = 1; distance < 32; distance *= 2) {
        int left = 0;
        if (lane >= distance) left = row[lane - distance];  // expect: race
#ifndef BROKEN
        __syncwarp();
#endif
        row[lane] += left;  // expect: race, other
        __syncwarp();
    }
    y[i] = row[lane];
}

int main() {
    const int n = 256;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    scan<<<2, 128>>>(x, y);
    return differs(y[31], 496) || differs(y[n - 1], 7664);
}
