// All threads of block 0 store, one raises the flag for them; one of block 1 waits for it, and a barrier tells the
// others.
#include <cstdio>

__global__ void pass_on(int* values, int* flag, int* result) {
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        values[t] = 7 * t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0) continue;
            __threadfence();
        }
        __syncthreads();
        result[t] = values[63 - t];
    }
}

int main() {
    int *values, *flag, *result, host[64] = {};
    cudaMalloc(&values, sizeof host);
    cudaMalloc(&result, sizeof host);
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    pass_on<<<2, 64>>>(values, flag, result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);
    return host[0] == 441 ? 0 : 1;
}
