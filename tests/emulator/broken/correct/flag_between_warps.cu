// Warp 0 leaves values in shared memory for warp 1, which waits for a flag there and not at a barrier.
#include <cstdio>

__global__ void pass_on(int* result) {
    __shared__ int values[32];
    __shared__ volatile int flag;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (warp == 0) {
        values[lane] = 5 * lane;
        __threadfence_block();
        __syncwarp();
        if (lane == 0) flag = 1;
    } else {
        while (flag == 0) continue;
        __threadfence_block();
        result[lane] = values[31 - lane];
    }
}

int main() {
    int *result, host[32] = {};
    cudaMalloc(&result, sizeof host);
    pass_on<<<1, 64>>>(result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);
    return host[0] == 155 ? 0 : 1;
}
