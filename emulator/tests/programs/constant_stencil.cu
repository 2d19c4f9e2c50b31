// needs: cudaMemcpyToSymbol cudaMemcpyFromSymbol
// Convolution with the mask in constant memory, a device variable and a constant table that the program never sets.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_MASK_WIDTH 7
__constant__ float M[MAX_MASK_WIDTH];
__constant__ int primes[] = { 2, 3, 5, 7 };
__device__ float offset = 0.5f;
__device__ int visits[4];

__global__ void convolution_1D(float *N, float *P, int Mask_Width, int Width)
{
    int i = blockIdx.x*blockDim.x + threadIdx.x;
    if (i >= Width) return;
    if (i < 4) visits[i] += primes[i];
    float Pvalue = offset;
    int N_start_point = i - (Mask_Width/2);
    for (int j = 0; j < Mask_Width; j++)
        if (N_start_point + j >= 0 && N_start_point + j < Width) Pvalue += N[N_start_point + j]*M[j];
    P[i] = Pvalue;
}

int main(void)
{
    const int width = 1000;
    float mask[MAX_MASK_WIDTH] = {1, 2, 3, 4, 3, 2, 1}, n[width], p[width], h_offset, *d_n, *d_p;
    int h_visits[4];
    for (int i = 0; i < width; i++) n[i] = i % 10;
    cudaMalloc((void**)&d_n, sizeof(n));
    cudaMalloc((void**)&d_p, sizeof(p));
    cudaMemcpy(d_n, n, sizeof(n), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(M, mask, MAX_MASK_WIDTH*sizeof(float));
    cudaMemcpyFromSymbol(&h_offset, offset, sizeof(float));
    h_offset += 1;
    cudaMemcpyToSymbol(offset, &h_offset, sizeof(float), 0, cudaMemcpyHostToDevice);
    convolution_1D<<<(width+127)/128, 128>>>(d_n, d_p, MAX_MASK_WIDTH, width);
    cudaMemcpy(p, d_p, sizeof(p), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(h_visits, visits, sizeof(visits));
    for (int i = 0; i < width; i++) {
        float want = 1.5f;
        for (int j = 0; j < MAX_MASK_WIDTH; j++) if (i + j - 3 >= 0 && i + j - 3 < width) want += n[i + j - 3] * mask[j];
        if (want != p[i]) { printf("FAILED at %d: %f, not %f\n", i, p[i], want); return 1; }
    }
    if (h_visits[0] != 2 || h_visits[3] != 7) { printf("FAILED: visits\n"); return 1; }
    printf("PASSED\n");
    return 0;
}
