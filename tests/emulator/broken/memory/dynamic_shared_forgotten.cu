// The launch does not ask for any dynamic shared memory.
#include <cstdio>

__global__ void rotate(float* x) {
    extern __shared__ float cache[];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: out-of-bounds
    __syncthreads();
    x[t] = cache[(t + 1) % blockDim.x];  // may: out-of-bounds
}

int main() {
    const int n = 48;
    float *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef BROKEN
    rotate<<<1, n>>>(x);
#else
    rotate<<<1, n, sizeof host>>>(x);
#endif
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%g\n", host[0]);
    return host[0] == 1 ? 0 : 1;
}
