// Each branch has a barrier of its own: the threads wait at different ones.
#include <cstdio>

__global__ void exchange(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t % 2 == 0) {
        cache[t] = t;
        __syncthreads();  // expect: divergent-barrier
    } else {
        cache[t] = -t;
        __syncthreads();  // expect: divergent-barrier
    }
#else
    cache[t] = t % 2 == 0 ? t : -t;
    __syncthreads();
#endif
    x[t] = cache[t ^ 1];
}

int main() {
    int *x, host[64] = {};
    cudaMalloc(&x, sizeof host);
    exchange<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == -1 && host[63] == 62 ? 0 : 1;
}
