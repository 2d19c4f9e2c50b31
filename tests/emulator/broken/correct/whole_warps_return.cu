// Warps without work return; the others synchronise themselves only.
#include <cstdio>

__global__ void rotate(int* x, int warps) {
    __shared__ int cache[128];
    const int t = threadIdx.x, lane = t % 32;
    if (t / 32 >= warps) return;
    cache[t] = x[t];
    __syncwarp();
    x[t] = cache[t - lane + (lane + 1) % 32] + __shfl_sync(0xffffffff, cache[t], 0);
}

int main() {
    int *x, host[128];
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    rotate<<<1, 128>>>(x, 3);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[95], host[96]);
    return host[95] == 128 && host[96] == 96 ? 0 : 1;
}
