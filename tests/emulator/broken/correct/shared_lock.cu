// The warps of a block share a lock in shared memory.
#include <cstdio>

__global__ void count(int* result) {
    __shared__ int lock, sum, order[4];
    const int t = threadIdx.x;
    if (t == 0) lock = 0, sum = 0;
    __syncthreads();
    if (t % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) continue;
        __threadfence_block();
        order[sum] = t / 32;
        ++sum;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (t < 4) result[t] = order[t];
}

int main() {
    int *result, host[4] = {};
    cudaMalloc(&result, sizeof host);
    count<<<1, 128>>>(result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    const int sum = host[0] + host[1] + host[2] + host[3];
    std::printf("%d\n", sum);
    return sum == 6 ? 0 : 1;
}
