// printf from the device and what it returns, unused arguments, and a kernel that does nothing.
#include <stdio.h>

__global__ void mykernel(void) {
}

__global__ void helloFromGPU()
{
    printf("Hello World from GPU! block (%d,%d) thread %u of %d\n", blockIdx.x, blockIdx.y, threadIdx.x, (int)blockDim.x);
}

__global__ void formats(float f, char *s)
{
    printf("%5.2f|%-4d|%c|%s|%lld|%%\n", f, 7, 'x', s, 1LL << 40);
}

// The number of arguments, where the C library's returns that of characters.
__global__ void results(int *n, const char *none)
{
    n[0] = printf("%%no arguments\n");
    n[1] = printf("%d %*d %.*f %-5s|%lld %%%c\n", 1, 4, 2, 1, 3.0, "s", 4LL, 'c');
    n[2] = printf(none);
}

int main(int argc, char **argv) {
    mykernel<<<1,1>>>();
    helloFromGPU<<<dim3(2, 2), 3>>>();
    cudaDeviceSynchronize();
    char *s;
    cudaMalloc((void**)&s, 4);
    cudaMemcpy(s, "abc", 4, cudaMemcpyHostToDevice);
    formats<<<1, 1>>>(3.14159f, s);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("FAILED: %s\n", cudaGetErrorString(error));
        return 1;
    }
    int *n, counts[3];
    cudaMalloc((void**)&n, sizeof counts);
    results<<<1, 1>>>(n, NULL);
    cudaMemcpy(counts, n, sizeof counts, cudaMemcpyDeviceToHost);
    if (counts[0] != 0 || counts[1] != 8 || counts[2] != -1) {
        printf("FAILED: printf() returned %d %d %d\n", counts[0], counts[1], counts[2]);
        return 1;
    }
    cudaDeviceReset();
    printf("PASSED\n");
    return 0;
}
