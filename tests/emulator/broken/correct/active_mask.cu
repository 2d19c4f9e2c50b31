// Lanes that came together call with the mask of those that did, and the first of them counts for all.
#include <cstdio>

__global__ void count(int* counter) {
    const int lane = threadIdx.x % 32;
    if (lane % 4 == 1) {
        const unsigned mask = __activemask();
        __syncwarp(mask);
        if (lane == __ffs(mask) - 1) atomicAdd(counter, __popc(mask));
    }
}

int main() {
    int *counter, host = 0;
    cudaMalloc(&counter, sizeof host);
    cudaMemset(counter, 0, sizeof host);
    count<<<2, 64>>>(counter);
    cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
    return host == 32 ? 0 : 1;
}
