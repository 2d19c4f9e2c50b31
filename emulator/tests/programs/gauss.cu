// Gaussian elimination with a launch for the factors and one for the rows, then back substitution on the host.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

int Size;
float *a, *b, *finalVec;
float *m;

void ForwardSub();
void BackSub();
__global__ void Fan1(float *m, float *a, int Size, int t);
__global__ void Fan2(float *m, float *a, float *b, int Size, int j1, int t);

int main(int argc, char *argv[])
{
    Size = 40;
    a = (float *) malloc(Size * Size * sizeof(float));
    b = (float *) malloc(Size * sizeof(float));
    m = (float *) calloc(Size * Size, sizeof(float));
    for (int i = 0; i < Size; i++) {
        b[i] = 0;
        for (int j = 0; j < Size; j++) {
            a[i * Size + j] = 10.0f * expf(-0.05f * abs(i - j)) + (i == j ? 20.0f : 0.0f);
            b[i] += a[i * Size + j] * (j + 1);
        }
    }
    ForwardSub();
    BackSub();
    for (int i = 0; i < Size; i++)
        if (!(fabs(finalVec[i] - (i + 1)) < 1e-2)) {
            printf("FAILED: x[%d] = %f\n", i, finalVec[i]);
            return 1;
        }
    printf("PASSED\n");
    return 0;
}

__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
    *(m_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) =
        *(a_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a_cuda + Size * t + t);
}

__global__ void Fan2(float *m_cuda, float *a_cuda, float *b_cuda, int Size, int j1, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= Size - t) return;
    int xidx = blockIdx.x * blockDim.x + threadIdx.x;
    int yidx = blockIdx.y * blockDim.y + threadIdx.y;
    a_cuda[Size * (xidx + 1 + t) + (yidx + t)] -= m_cuda[Size * (xidx + 1 + t) + t] * a_cuda[Size * t + (yidx + t)];
    if (yidx == 0) b_cuda[xidx + 1 + t] -= m_cuda[Size * (xidx + 1 + t) + (yidx + t)] * b_cuda[t];
}

void ForwardSub()
{
    int t;
    float *m_cuda, *a_cuda, *b_cuda;
    cudaMalloc((void **) &m_cuda, Size * Size * sizeof(float));
    cudaMalloc((void **) &a_cuda, Size * Size * sizeof(float));
    cudaMalloc((void **) &b_cuda, Size * sizeof(float));
    cudaMemcpy(m_cuda, m, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(a_cuda, a, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b_cuda, b, Size * sizeof(float), cudaMemcpyHostToDevice);
    int block_size = 512, grid_size = (Size / block_size) + (!(Size % block_size) ? 0 : 1);
    dim3 dimBlock(block_size);
    dim3 dimGrid(grid_size);
    int blockSize2d = 4, gridSize2d = (Size / blockSize2d) + (!(Size % blockSize2d ? 0 : 1));
    dim3 dimBlockXY(blockSize2d, blockSize2d);
    dim3 dimGridXY(gridSize2d, gridSize2d);
    for (t = 0; t < (Size - 1); t++) {
        Fan1<<<dimGrid,dimBlock>>>(m_cuda,a_cuda,Size,t);
        cudaDeviceSynchronize();
        Fan2<<<dimGridXY,dimBlockXY>>>(m_cuda,a_cuda,b_cuda,Size,Size-t,t);
        cudaDeviceSynchronize();
    }
    cudaMemcpy(m, m_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(a, a_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b, b_cuda, Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(m_cuda);
    cudaFree(a_cuda);
    cudaFree(b_cuda);
}

void BackSub()
{
    finalVec = (float *) malloc(Size * sizeof(float));
    for (int i = Size - 1; i >= 0; i--) {
        finalVec[i] = b[i];
        for (int j = i + 1; j < Size; j++) finalVec[i] -= a[i * Size + j] * finalVec[j];
        finalVec[i] /= a[i * Size + i];
    }
}
