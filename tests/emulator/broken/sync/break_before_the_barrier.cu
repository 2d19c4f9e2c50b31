// A thread that is done leaves the loop, and the barrier in it to the others.
#include <cstdio>

__global__ void collatz(int* steps) {
    int value = threadIdx.x + 1, n = 0;
    for (int round = 0; round < 120; ++round) {
#ifdef BROKEN
        if (value == 1) break;
#endif
        if (value != 1) value = value % 2 == 0 ? value / 2 : 3 * value + 1, ++n;
        __syncthreads();  // expect: divergent-barrier
    }
    steps[threadIdx.x] = n;
}

int main() {
    int *steps, host[32] = {};
    cudaMalloc(&steps, sizeof host);
    collatz<<<1, 32>>>(steps);
    cudaMemcpy(host, steps, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(steps);
    std::printf("%d\n", host[26]);
    return host[26] == 111 ? 0 : 1;
}
