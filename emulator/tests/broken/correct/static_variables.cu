// Static variables of device code are the device's, with the word __device__ and without.
#include "../arrays.h"

__device__ int next_number() {
    static int numbers;
    return atomicAdd(&numbers, 1);
}

__device__ int mirrored(int i) {
    static int table[64];
    static const int shift = 1;
    table[i] = i + shift;
    __syncthreads();
    return table[63 - i];
}

__global__ void number(int* taken, int* y) {
    static __device__ int launches;
    taken[next_number()] = 1;
    y[threadIdx.x] = mirrored(threadIdx.x);
    if (threadIdx.x == 0) y[64] = atomicAdd(&launches, 1);
}

int main() {
    Array<int> taken(128, 0), y(65);
    for (int i = 0; i < 2; ++i) number<<<1, 64>>>(taken, y);
    check(cudaDeviceSynchronize());
    return differs(int(taken[127]), 1) || differs(int(y[0]), 64) || differs(int(y[64]), 1);
}
