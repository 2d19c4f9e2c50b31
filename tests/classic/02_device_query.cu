// What each device says of itself, by fields that CUDA 13 has as attributes; the block's limits under other names.
#include <cuda_runtime.h>
#include <stdio.h>

int main() {
    cudaDeviceProp prop;
    int count;
    cudaGetDeviceCount(&count);
    for (int i = 0; i < count; ++i) {
        cudaGetDeviceProperties(&prop, i);
        printf("%s, compute capability %d.%d\n", prop.name, prop.major, prop.minor);
        printf("Clock rate: %d, copy overlap: %d, timeout: %d\n", prop.clockRate, prop.deviceOverlap,
               prop.kernelExecTimeoutEnabled);
        printf("Global memory: %ld, constant memory: %ld, pitch: %ld, texture alignment: %ld\n", prop.totalGlobalMem,
               prop.totalConstMem, prop.memPitch, prop.textureAlignment);
        printf("Multiprocessors: %d, shared memory per multiprocessor: %ld, registers: %d, warp: %d\n",
               prop.multiProcessorCount, prop.sharedMemPerBlock, prop.regsPerBlock, prop.warpSize);
        printf("Threads: %d, block: %d x %d x %d, grid: %d x %d x %d\n", prop.maxThreadsPerBlock, prop.maxThreadsDim[0],
               prop.maxThreadsDim[1], prop.maxThreadsDim[2], prop.maxGridSize[0], prop.maxGridSize[1],
               prop.maxGridSize[2]);
    }
    return 0;
}
