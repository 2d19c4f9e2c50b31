// A whole warp has nothing to do and returns: the barrier is the block's all the same.
#include <cstdio>

__global__ void reverse(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t >= 64) return;
#endif
    if (t < 64) cache[t] = x[t];
    __syncthreads();  // expect: divergent-barrier
    if (t < 64) x[t] = cache[63 - t];
}

int main() {
    int *x, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 96>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 63 ? 0 : 1;
}
