// The barrier is hidden in a function that only the first thread calls.
#include <cstdio>

__device__ void publish(int* place, int value) {
    if (threadIdx.x == 0) *place = value;  // may: race
    __syncthreads();                       // expect: divergent-barrier
}

__global__ void fill(int* x) {
    __shared__ int value;
#ifdef BROKEN
    if (threadIdx.x == 0) publish(&value, 7);
#else
    publish(&value, 7);
#endif
    x[threadIdx.x] = value;  // may: race, uninitialised
}

int main() {
    int *x, host[64] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[63]);
    return host[63] == 7 ? 0 : 1;
}
