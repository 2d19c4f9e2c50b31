// Asks for the device, and compiles one way for nvcc and another for a plain compiler.
#include <cuda.h>
#include <cuda_runtime.h>
#include <device_functions.h>
#include <stdio.h>

#ifdef __CUDACC__
#define HOSTDEVICE __host__ __device__
#define IS_CUDA 1
#else
#define HOSTDEVICE
#define IS_CUDA 0
#endif

#ifndef __CUDACC_VER_MAJOR__
#error "nvcc says its version"
#endif

HOSTDEVICE inline int square(int x) { return x * x; }

__global__ void squares(int *out) { out[threadIdx.x] = square(threadIdx.x); }

int main(void)
{
    int count = 0, driver = 0, runtime = 0;
    cudaError_t error_id = cudaGetDeviceCount(&count);
    if (error_id != cudaSuccess) {
        printf("cudaGetDeviceCount returned %d\n-> %s\nResult = FAIL\n", (int)error_id, cudaGetErrorString(error_id));
        return 1;
    }
    for (int dev = 0; dev < count; ++dev) {
        cudaSetDevice(dev);
        cudaDeviceProp prop;
        cudaGetDeviceProperties(&prop, dev);
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        printf("Device %d: \"%s\", %d.%d, %.0f MBytes, %d multiprocessors, warp %d, block %d, grid (%d, %d, %d)\n", dev,
               prop.name, prop.major, prop.minor, (float)prop.totalGlobalMem / 1048576.0f, prop.multiProcessorCount,
               prop.warpSize, prop.maxThreadsPerBlock, prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
        if (prop.warpSize != 32 || prop.maxThreadsPerBlock < 512 || driver < runtime) return 1;
    }
    int h[10], *d;
    cudaMalloc((void **)&d, sizeof(h));
    squares<<<1, 10>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    if (!IS_CUDA || h[9] != square(9)) return 1;
    printf("Result = PASSED\n");
    return 0;
}
