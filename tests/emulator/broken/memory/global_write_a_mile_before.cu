// An offset that was meant for another array leads far in front of this one.
#include <cstdio>

__global__ void fill(int* x, int offset) {
    x[static_cast<int>(threadIdx.x) - offset] = threadIdx.x;  // expect: out-of-bounds
}

int main() {
    const int n = 64;
    int *x, host[n] = {};
    cudaMalloc(&x, sizeof host);
#ifdef BROKEN
    fill<<<1, n>>>(x, 50'000'000);
#else
    fill<<<1, n>>>(x, 0);
#endif
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == n - 1 ? 0 : 1;
}
