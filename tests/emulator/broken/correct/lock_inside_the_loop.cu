// Every lane takes a lock; who has it does its work in the loop and gives it back before the others try again.
#include <cstdio>

__global__ void count(int* locks, int* counters, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, mine = i % n;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[mine], 0, 1) == 0) {
            __threadfence();
            counters[mine] += i;
            __threadfence();
            atomicExch(&locks[mine], 0);
            done = true;
        }
    }
}

int main() {
    const int n = 5;
    int *locks, *counters, host[n] = {};
    cudaMalloc(&locks, sizeof host);
    cudaMalloc(&counters, sizeof host);
    cudaMemset(locks, 0, sizeof host);
    cudaMemset(counters, 0, sizeof host);
    count<<<2, 64>>>(locks, counters, n);
    cudaMemcpy(host, counters, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);
    return host[0] == 1625 ? 0 : 1;
}
