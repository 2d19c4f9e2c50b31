// All shortest paths: one launch for each vertex in between.
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

#define INF (INT_MAX / 2)
#define V 90

__global__ void floyd(int *dist, int *next, int k, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y;
    if (j >= n) return;
    __shared__ int best;
    if (threadIdx.x == 0) best = dist[i * n + k];
    __syncthreads();
    if (best == INF) return;
    int other = best + dist[k * n + j];
    if (other < dist[i * n + j]) {
        dist[i * n + j] = other;
        next[i * n + j] = k;
    }
}

int main()
{
    int *g = (int *) malloc(sizeof(int) * V * V), *r = (int *) malloc(sizeof(int) * V * V), *dg, *dn;
    for (int i = 0; i < V * V; i++) g[i] = i / V == i % V ? 0 : rand() % 10 == 0 ? rand() % 100 : INF;
    cudaMalloc(&dg, sizeof(int) * V * V);
    cudaMalloc(&dn, sizeof(int) * V * V);
    cudaMemcpy(dg, g, sizeof(int) * V * V, cudaMemcpyHostToDevice);
    for (int k = 0; k < V; k++)
    {
        floyd<<<dim3((V + 31) / 32, V), 32>>>(dg, dn, k, V);
        for (int i = 0; i < V; i++)
            for (int j = 0; j < V; j++)
                if (g[i * V + k] + g[k * V + j] < g[i * V + j]) g[i * V + j] = g[i * V + k] + g[k * V + j];
    }
    cudaMemcpy(r, dg, sizeof(int) * V * V, cudaMemcpyDeviceToHost);
    for (int i = 0; i < V * V; i++)
        if (r[i] != g[i]) { printf("FAILED\n"); exit(1); }
    printf("PASSED\n");
    exit(0);
}
