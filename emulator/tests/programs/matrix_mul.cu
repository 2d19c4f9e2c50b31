// The matrix product, naive and with tiles in shared memory, timed with events; matrices travel as structs by value.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define BLOCK_SIZE 16

typedef struct {
    int width;
    int height;
    int stride;
    float* elements;
} Matrix;

__device__ float GetElement(const Matrix A, int row, int col)
{
    return A.elements[row * A.stride + col];
}

__device__ void SetElement(Matrix A, int row, int col, float value)
{
    A.elements[row * A.stride + col] = value;
}

__device__ Matrix GetSubMatrix(Matrix A, int row, int col)
{
    Matrix Asub;
    Asub.width = BLOCK_SIZE;
    Asub.height = BLOCK_SIZE;
    Asub.stride = A.stride;
    Asub.elements = &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col];
    return Asub;
}

__global__ void MatMulNaive(Matrix A, Matrix B, Matrix C)
{
    float Cvalue = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = 0; e < A.width; ++e)
        Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = Cvalue;
}

__global__ void MatMulTiled(Matrix A, Matrix B, Matrix C)
{
    Matrix Csub = GetSubMatrix(C, blockIdx.y, blockIdx.x);
    float Cvalue = 0;
    int row = threadIdx.y;
    int col = threadIdx.x;
    for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
        Matrix Asub = GetSubMatrix(A, blockIdx.y, m);
        Matrix Bsub = GetSubMatrix(B, m, blockIdx.x);
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[row][col] = GetElement(Asub, row, col);
        Bs[row][col] = GetElement(Bsub, row, col);
        __syncthreads();
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    SetElement(Csub, row, col, Cvalue);
}

static Matrix on_device(const Matrix M)
{
    Matrix d = M;
    cudaMalloc(&d.elements, M.width * M.height * sizeof(float));
    cudaMemcpy(d.elements, M.elements, M.width * M.height * sizeof(float), cudaMemcpyHostToDevice);
    return d;
}

static Matrix make(int h, int w)
{
    Matrix M;
    M.width = M.stride = w;
    M.height = h;
    M.elements = (float*)malloc(w * h * sizeof(float));
    for (int i = 0; i < w * h; ++i) M.elements[i] = (float)(i * 7 % 11 - 5);
    return M;
}

int main(int argc, char** argv)
{
    Matrix A = make(48, 64), B = make(64, 80), C = make(48, 80);
    Matrix d_A = on_device(A), d_B = on_device(B), d_C = on_device(C);
    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
    dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
    for (int which = 0; which < 2; ++which) {
        cudaEvent_t start, stop;
        float time;
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        cudaEventRecord(start, 0);
        if (which == 0)
            MatMulNaive<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
        else
            MatMulTiled<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
        cudaEventRecord(stop, 0);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&time, start, stop);
        cudaEventDestroy(start);
        cudaEventDestroy(stop);
        if (!(time >= 0)) return 2;
        cudaMemcpy(C.elements, d_C.elements, C.width * C.height * sizeof(float), cudaMemcpyDeviceToHost);
        for (int y = 0; y < C.height; ++y)
            for (int x = 0; x < C.width; ++x) {
                float sum = 0;
                for (int e = 0; e < A.width; ++e) sum += A.elements[y * A.width + e] * B.elements[e * B.width + x];
                if (sum != C.elements[y * C.width + x]) {
                    printf("kernel %d: (%d, %d) is %f, not %f\n", which, y, x, C.elements[y * C.width + x], sum);
                    exit(1);
                }
            }
    }
    printf("PASSED\n");
    cudaFree(d_A.elements); cudaFree(d_B.elements); cudaFree(d_C.elements);
    exit(0);
}
