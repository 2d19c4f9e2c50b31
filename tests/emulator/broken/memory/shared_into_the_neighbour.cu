// One shared array is written past its end; what lies there is the next array, and no memory that nobody has.
#include <cstdio>

__global__ void fill(int* y) {
    __shared__ int first[32], second[32];
    const int t = threadIdx.x;
    first[t] = 1;
    second[t] = 2;
    __syncthreads();
#ifdef BROKEN
    first[t + 1] = 3;  // expect: out-of-bounds
#else
    first[(t + 1) % 32] = 3;
#endif
    __syncthreads();
    y[t] = first[t] + second[t];
}

int main() {
    int *y, host[32] = {};
    cudaMalloc(&y, sizeof host);
    fill<<<1, 32>>>(y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    std::printf("%d\n", host[0]);
    return host[0] == 5 ? 0 : 1;
}
