// Prefix sums: Hillis-Steele in double buffers, and Blelloch's work-efficient sweep with bank-conflict offsets.
#include <assert.h>
#include <stdio.h>

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void scan_naive(float *g_odata, float *g_idata, int n)
{
    extern __shared__ float temp[];
    int thid = threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout * n + thid] = (thid > 0) ? g_idata[thid - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        __syncthreads();
        temp[pout * n + thid] = temp[pin * n + thid];
        if (thid >= offset)
            temp[pout * n + thid] += temp[pin * n + thid - offset];
    }
    __syncthreads();
    g_odata[thid] = temp[pout * n + thid];
}

__global__ void prescan(float *g_odata, float *g_idata, int n)
{
    extern __shared__ float temp[];
    int thid = threadIdx.x;
    int offset = 1;
    int ai = thid, bi = thid + (n / 2);
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = g_idata[ai];
    temp[bi + bankOffsetB] = g_idata[bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) { temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0; }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[ai] = temp[ai + bankOffsetA];
    g_odata[bi] = temp[bi + bankOffsetB];
}

int main(void)
{
    const int n = 512;
    float in[n], out[n], *d_in, *d_out;
    for (int i = 0; i < n; i++) in[i] = (float)(i % 13);
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    for (int kernel = 0; kernel < 2; kernel++) {
        if (kernel == 0) scan_naive<<<1, n, 2 * n * sizeof(float)>>>(d_out, d_in, n);
        else prescan<<<1, n / 2, (n + n / NUM_BANKS) * sizeof(float)>>>(d_out, d_in, n);
        assert(cudaGetLastError() == cudaSuccess);
        cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
        float sum = 0;
        for (int i = 0; i < n; i++) {
            if (out[i] != sum) { printf("FAILED: kernel %d, element %d\n", kernel, i); return 1; }
            sum += in[i];
        }
    }
    puts("PASSED");
    return 0;
}
