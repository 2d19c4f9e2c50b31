// A __device__ variable belongs to all threads of the grid.
#include "../arrays.h"

__device__ unsigned long long total;

__global__ void sum() {
    const unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    total += i;  // expect: race
#else
    atomicAdd(&total, i);
#endif
}

int main() {
    unsigned long long host = 0;
    sum<<<4, 32>>>();
    cudaMemcpyFromSymbol(&host, total, sizeof host);
    return differs(host, 8128);
}
