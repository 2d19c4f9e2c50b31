// One thread allocates a buffer for its block, and every thread frees it.
#include "../arrays.h"

__global__ void sums(const int* x, int* y) {
    __shared__ int* buffer;
    const int t = threadIdx.x;
    if (t == 0) buffer = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
    __syncthreads();
    buffer[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (unsigned i = 0; i < blockDim.x; ++i) sum += buffer[i];
        y[blockIdx.x] = sum;
    }
    __syncthreads();
#ifdef BROKEN
    free(buffer);  // expect: double-free
#else
    if (t == 0) free(buffer);
#endif
}

int main() {
    const int threads = 64;
    Array<int> x(3 * threads, 2), y(3);
    sums<<<3, threads>>>(x, y);
    return differs(y[2], 2 * threads);
}
