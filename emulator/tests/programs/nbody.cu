// Bodies that attract each other, tile by tile through dynamic shared memory; the tile function is a device function.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#define EPS2 0.01f

__host__ __device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + EPS2;
    float distSixth = distSqr * distSqr * distSqr;
    float invDistCube = 1.0f / sqrtf(distSixth);
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__device__ float3 tile_calculation(float4 myPosition, float3 accel)
{
    extern __shared__ float4 shPosition[];
    for (int i = 0; i < blockDim.x; i++)
        accel = bodyBodyInteraction(myPosition, shPosition[i], accel);
    return accel;
}

__global__ void calculate_forces(void *devX, void *devA, int N)
{
    extern __shared__ float4 shPosition[];
    float4 *globalX = (float4 *)devX;
    float4 *globalA = (float4 *)devA;
    float4 myPosition;
    int i, tile;
    float3 acc = {0.0f, 0.0f, 0.0f};
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    myPosition = globalX[gtid];
    for (i = 0, tile = 0; i < N; i += blockDim.x, tile++) {
        int idx = tile * blockDim.x + threadIdx.x;
        shPosition[threadIdx.x] = globalX[idx];
        __syncthreads();
        acc = tile_calculation(myPosition, acc);
        __syncthreads();
    }
    float4 acc4 = {acc.x, acc.y, acc.z, 0.0f};
    globalA[gtid] = acc4;
}

int main(int argc, char *argv[])
{
    int N = 256, p = 64;
    float4 *x = (float4 *)malloc(N * sizeof(float4)), *a = (float4 *)malloc(N * sizeof(float4));
    float4 *dx, *da;
    for (int i = 0; i < N; i++)
        x[i] = make_float4(rand() % 100, rand() % 100, rand() % 100, 1 + rand() % 9);
    cudaMalloc(&dx, N * sizeof(float4));
    cudaMalloc(&da, N * sizeof(float4));
    cudaMemcpy(dx, x, N * sizeof(float4), cudaMemcpyHostToDevice);
    calculate_forces<<<N / p, p, p * sizeof(float4)>>>(dx, da, N);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) printf("Error: %s\n", cudaGetErrorString(err));
    cudaMemcpy(a, da, N * sizeof(float4), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        float3 want = {0, 0, 0};
        for (int j = 0; j < N; j++) want = bodyBodyInteraction(x[i], x[j], want);
        if (!(fabs(want.x - a[i].x) + fabs(want.y - a[i].y) + fabs(want.z - a[i].z) < 1e-3)) {
            printf("FAILED at body %d\n", i);
            return 1;
        }
    }
    printf("PASSED\n");
    cudaDeviceReset();
    return 0;
}
