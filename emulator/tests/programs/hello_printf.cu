// printf from the device, unused arguments, and a kernel that does nothing.
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
    cudaDeviceReset();
    printf("PASSED\n");
    return 0;
}
