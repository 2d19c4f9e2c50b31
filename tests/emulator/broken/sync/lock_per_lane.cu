// 32 lanes and one lock, taken in a loop of its own: where a warp runs in lockstep, this hangs.
#include <cstdio>

__global__ void count(int* lock, int* counter) {
#ifdef BROKEN
    while (atomicCAS(lock, 0, 1) != 0) continue;  // expect: deadlock
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(lock, 0);
#else
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (threadIdx.x == lane) {
            while (atomicCAS(lock, 0, 1) != 0) continue;
            __threadfence();
            *counter += 1;
            __threadfence();
            atomicExch(lock, 0);
        }
        __syncwarp();
    }
#endif
}

int main() {
    int *memory, host = 0;
    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    count<<<1, 32>>>(memory, memory + 1);
    cudaMemcpy(&host, memory + 1, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    std::printf("%d\n", host);
    return host == 32 ? 0 : 1;
}
