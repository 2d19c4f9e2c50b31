// atomicAdd_block() is atomic for the threads of one block; two blocks use the counter.
#include <cstdio>

__global__ void count(int* counter) {
#ifdef BROKEN
    atomicAdd_block(counter, 1);  // expect: race
#else
    atomicAdd(counter, 1);
#endif
}

int main() {
    int *counter, host = 0;
    cudaMalloc(&counter, sizeof host);
    cudaMemset(counter, 0, sizeof host);
    count<<<2, 64>>>(counter);
    cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(counter);
    std::printf("%d\n", host);
    return host == 128 ? 0 : 1;
}
