// new and delete in a kernel: memory that a kernel has allocated itself.
#include <cstdio>

__global__ void sums(int* y) {
    const int t = threadIdx.x;
    int* list = new int[t + 1];
    for (int i = 0; i <= t; ++i) list[i] = i;
    int sum = 0;
    for (int i = 0; i <= t; ++i) sum += list[i];
    delete[] list;
    y[t] = sum;
}

int main() {
    int *y, host[32] = {};
    cudaMalloc(&y, sizeof host);
    sums<<<1, 32>>>(y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[31]);
    return host[31] == 496 ? 0 : 1;
}
