// Steps of k-means: each thread finds the nearest centre of its point; the host moves the centres.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define K 5
#define DIMS 2
#define TPB 64

struct Points { float *x, *y; int n; };

__host__ __device__ static float distance(float x1, float y1, float x2, float y2)
{
    return (x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2);
}

__global__ void assign(Points p, const float *centres, int *cluster)
{
    __shared__ float c[K][DIMS];
    if (threadIdx.x < K * DIMS) c[threadIdx.x / DIMS][threadIdx.x % DIMS] = centres[threadIdx.x];
    __syncthreads();
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= p.n) return;
    float min_dist = FLT_MAX;
    int closest = 0;
    for (int k = 0; k < K; ++k) {
        float d = distance(p.x[idx], p.y[idx], c[k][0], c[k][1]);
        if (d < min_dist) { min_dist = d; closest = k; }
    }
    cluster[idx] = closest;
}

int main()
{
    const int n = 1500;
    float x[n], y[n], c[K][DIMS];
    int cluster[n];
    for (int i = 0; i < n; i++) x[i] = (i % K) * 100 + rand() % 50, y[i] = (i % K) * 10 + rand() % 10;
    for (int k = 0; k < K; k++) c[k][0] = x[k], c[k][1] = y[k];
    Points d = {NULL, NULL, n};
    float *d_c;
    int *d_cluster;
    cudaMalloc((void**)&d.x, sizeof x); cudaMalloc((void**)&d.y, sizeof y);
    cudaMalloc((void**)&d_c, sizeof c); cudaMalloc((void**)&d_cluster, sizeof cluster);
    cudaMemcpy(d.x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d.y, y, sizeof y, cudaMemcpyHostToDevice);
    int iteration = 0;
    while (iteration++ < 5) {
        cudaMemcpy(d_c, c, sizeof c, cudaMemcpyHostToDevice);
        assign<<<(n + TPB - 1) / TPB, TPB>>>(d, d_c, d_cluster);
        cudaMemcpy(cluster, d_cluster, sizeof cluster, cudaMemcpyDeviceToHost);
        float sum[K][DIMS] = {{0}};
        int count[K] = {0};
        for (int i = 0; i < n; i++) {
            if (cluster[i] != i % K) { printf("FAILED: point %d is in cluster %d\n", i, cluster[i]); return 1; }
            sum[cluster[i]][0] += x[i], sum[cluster[i]][1] += y[i], count[cluster[i]]++;
        }
        for (int k = 0; k < K; k++) c[k][0] = sum[k][0] / count[k], c[k][1] = sum[k][1] / count[k];
    }
    printf("PASSED\n");
    return 0;
}
