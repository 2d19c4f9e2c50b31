// The scan reads one array and writes another one; begin itself is the cursor, counted down.

#include "common/check.h"

__global__ void clear(int* begin) {
    begin[threadIdx.x] = 0;
}

__global__ void count_keys(const unsigned* keys, int n, int* begin) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&begin[keys[i] & 255], 1);
}

__global__ void add_up(int* begin) {
    __shared__ int sums[2][257];
    const int b = threadIdx.x;
    int now = 0;
    sums[now][b] = begin[b];
    for (int distance = 1; distance <= 256; distance *= 2, now = 1 - now) {
        __syncthreads();
        sums[1 - now][b] = sums[now][b] + (b >= distance ? sums[now][b - distance] : 0);
    }
    begin[b] = sums[now][b];
}

__global__ void scatter(const unsigned* keys, int n, int* begin, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[atomicSub(&begin[keys[i] & 255], 1) - 1] = keys[i];
}

void partition(const unsigned* keys, int n, int* begin, unsigned* out) {
    clear<<<1, 257>>>(begin);
    const int blocks = n / 128 + 1;
    count_keys<<<blocks, 128>>>(keys, n, begin);
    add_up<<<1, 257>>>(begin);
    scatter<<<blocks, 128>>>(keys, n, begin, out);
    CUDA_CHECK_LAUNCH();
}
