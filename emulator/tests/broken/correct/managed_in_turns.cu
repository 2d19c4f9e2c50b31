// Managed memory goes back and forth between host and kernel, with a synchronisation at each turn.
#include "../arrays.h"

__global__ void increment(int* x) {
    x[threadIdx.x] += 1;
}

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) x[i] = i;
    for (int round = 0; round < 3; ++round) {
        increment<<<1, 32>>>(x);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; ++i) x[i] *= 2;
    }
    const int value = x[31];
    cudaFree(x);
    return differs(value, 262);
}
