// A kernel's parameter is a reference, to a variable of the host.
#include <cstdio>

#ifdef BROKEN
__global__ void fill(int* x, const int& value) {
#else
__global__ void fill(int* x, const int value) {
#endif
    x[threadIdx.x] = value;  // expect: device-touches-host
}

int main() {
    int *x, host[32] = {}, value = 9;
    cudaMalloc(&x, sizeof host);
    fill<<<1, 32>>>(x, value);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[31]);
    return host[31] == 9 ? 0 : 1;
}
