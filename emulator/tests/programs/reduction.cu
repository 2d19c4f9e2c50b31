// Sums of an array: interleaved, sequential and unrolled steps, as templates on type and block size, chosen by a switch.
#include <stdio.h>
#include <stdlib.h>

template <class T>
struct SharedMemory
{
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <class T>
__global__ void reduce0(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T, unsigned int blockSize>
__global__ void reduce1(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (i + blockSize < n) mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] = mySum = mySum + sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] = mySum = mySum + sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] = mySum = mySum + sdata[tid + 64]; } __syncthreads(); }
#pragma unroll
    for (int s = blockSize < 128 ? blockSize / 2 : 32; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata)
{
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = threads * sizeof(T);
    switch (whichKernel) {
    case 0:
        reduce0<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
    default:
        switch (threads) {
        case 512: reduce1<T, 512><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 128: reduce1<T, 128><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 64: reduce1<T, 64><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 1: reduce1<T, 1><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        }
    }
}

template <class T>
int check(int n, int threads, int which)
{
    int blocks = which == 0 ? (n + threads - 1) / threads : 5;
    T *h = (T *)malloc(n * sizeof(T)), *sums = (T *)malloc(blocks * sizeof(T)), expected = 0, sum = 0;
    for (int i = 0; i < n; i++) expected += h[i] = (T)(rand() & 0xFF);
    T *d_in = 0, *d_out = 0;
    cudaMalloc((void **)&d_in, n * sizeof(T));
    cudaMalloc((void **)&d_out, blocks * sizeof(T));
    cudaMemcpy(d_in, h, n * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T>(n, threads, blocks, which, d_in, d_out);
    cudaMemcpy(sums, d_out, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; i++) sum += sums[i];
    cudaFree(d_in), cudaFree(d_out), free(h), free(sums);
    if (sum != expected) printf("FAILED: n %d, %d threads, kernel %d\n", n, threads, which);
    return sum != expected;
}

int main(int argc, char **argv)
{
    int failed = 0;
    int sizes[] = { 1, 63, 1000, 4097 }, blocks[] = { 1, 64, 128, 512 };
    for (int n : sizes)
        for (int t : blocks)
            failed += check<int>(n, t, 0) + check<float>(n, t, 1) + check<double>(n, t, 1);
    printf(failed ? "Test failed!\n" : "Test PASSED\n");
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
