// needs: cudaMallocPitch cudaMemcpy2DAsync cudaHostAlloc cudaStreamCreateWithFlags
// Pitched memory, two-dimensional copies, and streams with pinned memory.
#include <stdio.h>

__global__ void scale(float* devPtr, size_t pitch, int width, int height, float by)
{
    for (int r = blockIdx.x; r < height; r += gridDim.x) {
        float* row = (float*)((char*)devPtr + r * pitch);
        for (int c = threadIdx.x; c < width; c += blockDim.x)
            row[c] *= by;
    }
}

int main()
{
    const int width = 61, height = 33;
    float h[height][width], *devPtr, *pinned;
    size_t pitch;
    for (int r = 0; r < height; ++r) for (int c = 0; c < width; ++c) h[r][c] = r * 100 + c;
    cudaMallocPitch(&devPtr, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(devPtr, pitch, h, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    scale<<<7, 32, 0, stream>>>(devPtr, pitch, width, height, 2);
    cudaHostAlloc((void**)&pinned, sizeof h, cudaHostAllocDefault);
    cudaMemcpy2DAsync(pinned, width * sizeof(float), devPtr, pitch, width * sizeof(float), height,
                      cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int r = 0; r < height; ++r)
        for (int c = 0; c < width; ++c)
            if (pinned[r * width + c] != 2 * h[r][c]) { printf("FAILED at %d %d\n", r, c); return 1; }
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    cudaFree(devPtr);
    printf("PASSED\n");
}
