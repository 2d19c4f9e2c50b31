// Numbers in constant memory, read by all threads, and two events that time it.
#include <cuda_runtime.h>
#include <stdio.h>

#define N 100

__constant__ float numbers[N];

__global__ void sum_up(float* out) {
    float sum = 0;
    for (int i = 0; i < N; ++i) sum += numbers[i];
    out[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

int main() {
    float host[N];
    for (int i = 0; i < N; ++i) host[i] = i;
    cudaMemcpyToSymbol(numbers, host, sizeof(host));
    float* out;
    cudaMalloc((void**)&out, 256 * sizeof(float));
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    sum_up<<<2, 128>>>(out);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    float first;
    cudaMemcpy(&first, out, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g, in %s\n", first, ms >= 0 ? "some time" : "no time");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(out);
    return 0;
}
