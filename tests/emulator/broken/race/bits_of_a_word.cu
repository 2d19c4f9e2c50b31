// Each thread sets its own bit, but |= loads and stores the whole word.
#include <cstdio>

__global__ void marks(const int* x, unsigned* mask) {
    __shared__ unsigned bits;
    if (threadIdx.x == 0) bits = 0;
    __syncthreads();
#ifdef BROKEN
    if (x[threadIdx.x] > 0) bits |= 1u << threadIdx.x;  // expect: race
#else
    if (x[threadIdx.x] > 0) atomicOr(&bits, 1u << threadIdx.x);
#endif
    __syncthreads();
    if (threadIdx.x == 0) *mask = bits;
}

int main() {
    int *x, host[32];
    unsigned *mask, result = 0;
    for (int i = 0; i < 32; ++i) host[i] = i % 4 - 1;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&mask, sizeof result);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    marks<<<1, 32>>>(x, mask);
    cudaMemcpy(&result, mask, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(mask);
    std::printf("%x\n", result);
    return result == 0xcccccccc ? 0 : 1;
}
