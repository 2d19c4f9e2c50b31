// Matrices as arrays of rows of a fixed width, added on a two-dimensional grid.
#include <iostream>
using namespace std;

#define N 70

__global__ void MatAdd(float A[N][N], float B[N][N], float C[N][N])
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N)
        C[i][j] = A[i][j] + B[i][j];
}

float a[N][N], b[N][N], c[N][N];

int main()
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i, b[i][j] = 1000 * j;
    float (*da)[N], (*db)[N], (*dc)[N];
    cudaMalloc((void**)&da, sizeof(a));
    cudaMalloc((void**)&db, sizeof(b));
    cudaMalloc((void**)&dc, sizeof(c));
    cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice);
    dim3 threadsPerBlock(16, 16);
    dim3 numBlocks((N + threadsPerBlock.x - 1) / threadsPerBlock.x, (N + threadsPerBlock.y - 1) / threadsPerBlock.y);
    MatAdd<<<numBlocks, threadsPerBlock>>>(da, db, dc);
    cudaMemcpy(c, dc, sizeof(c), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (c[i][j] != i + 1000 * j) wrong++;
    cout << (wrong ? "FAILED" : "PASSED") << endl;
    return wrong != 0;
}
