// Two blocks of one thread each add to one counter.
#include <cstdio>

__global__ void count(int* counter) {
#ifdef BROKEN
    *counter += 1;  // expect: race
#else
    atomicAdd(counter, 1);
#endif
}

int main() {
    int *counter, host = 0;
    cudaMalloc(&counter, sizeof host);
    cudaMemset(counter, 0, sizeof host);
    count<<<2, 1>>>(counter);
    cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(counter);
    std::printf("%d\n", host);
    return host == 2 ? 0 : 1;
}
