// The last steps of a tree inside one warp, with __syncwarp() between the loads and the stores.
#include <cstdio>

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    if (t < 32) {
        int mine = cache[t] + cache[t + 32];
        for (int step = 16; step > 0; step /= 2) {
            cache[t] = mine;
            __syncwarp();
            mine += cache[t ^ step];
            __syncwarp();
        }
        if (t == 0) *result = mine;
    }
}

int main() {
    int *x, *result, host[64], total = 0;
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(x, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    std::printf("%d\n", total);
    return total == 2016 ? 0 : 1;
}
