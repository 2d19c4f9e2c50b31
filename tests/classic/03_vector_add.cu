// A block of one thread for each of ten elements.
#include <cuda_runtime.h>
#include <stdio.h>

const int N = 10;

__global__ void add(int* a, int* b, int* c) {
    int i = blockIdx.x;
    if (i < N) c[i] = a[i] + b[i];
}

int main() {
    int a[N], b[N], c[N];
    for (int i = 0; i < N; ++i) {
        a[i] = -i;
        b[i] = i * i;
    }
    int *dev_a, *dev_b, *dev_c;
    cudaMalloc((void**)&dev_a, N * sizeof(int));
    cudaMalloc((void**)&dev_b, N * sizeof(int));
    cudaMalloc((void**)&dev_c, N * sizeof(int));
    cudaMemcpy(dev_a, a, N * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, N * sizeof(int), cudaMemcpyHostToDevice);
    add<<<N, 1>>>(dev_a, dev_b, dev_c);
    cudaMemcpy(c, dev_c, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) printf("%d + %d = %d\n", a[i], b[i], c[i]);
    cudaFree(dev_a);
    cudaFree(dev_b);
    cudaFree(dev_c);
    return 0;
}
