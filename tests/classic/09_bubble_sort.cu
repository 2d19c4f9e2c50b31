// One block of N/2 threads sorts N floats; for an odd N, it copies the last one once more, and it compares before it
// asks.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N 256
#define SIZE (N * sizeof(float))

inline __host__ __device__ void exchange(float& a, float& b) {
    float c = a;
    a = b;
    b = c;
}

__global__ void bubble(float* out, float* in) {
    int j = threadIdx.x;
    int k = 2 * threadIdx.x;
    __shared__ float s[N + 20];
    __syncthreads();
    s[j] = in[j];
    s[j + N / 2] = in[j + N / 2];      // expect: race, other
    if (j == 0) s[N - 1] = in[N - 1];  // expect: race
    for (int loop = 0; loop <= N / 2; loop++) {
        __syncthreads();
        if (s[k] > s[k + 1]) exchange(s[k], s[k + 1]);
        __syncthreads();
        if (s[k + 1] > s[k + 2])  // expect: uninitialised
            if (k < N - 2) exchange(s[k + 1], s[k + 2]);
    }
    __syncthreads();
    out[j] = s[j];
    out[j + N / 2] = s[j + N / 2];      // expect: race, other
    if (j == 0) out[N - 1] = s[N - 1];  // expect: race
}

int main() {
    float* a = (float*)malloc(SIZE);
    for (int i = 0; i < N; ++i) a[i] = N - 1 - i;
    float *dev_a, *dev_c;
    cudaMalloc((void**)&dev_a, SIZE);
    cudaMalloc((void**)&dev_c, SIZE);
    cudaMemcpy(dev_a, a, SIZE, cudaMemcpyHostToDevice);
    bubble<<<1, N / 2>>>(dev_c, dev_a);
    cudaThreadSynchronize();
    cudaMemcpy(a, dev_c, SIZE, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < N; ++i) right = right && a[i] == i;
    printf("%s\n", right ? "pass" : "fail");
    cudaFree(dev_a);
    cudaFree(dev_c);
    free(a);
    return 0;
}
