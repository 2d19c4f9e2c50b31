// The odd lanes are not there, and the mask says that they are.
#include <cstdio>

__global__ void sum(unsigned* result) {
    const unsigned lane = threadIdx.x;
    unsigned total = 0;
#ifdef BROKEN
    if (lane % 2 == 0) total = __reduce_add_sync(0xffffffff, lane);  // expect: warp-mask
#else
    if (lane % 2 == 0) total = __reduce_add_sync(0x55555555, lane);
#endif
    total = __shfl_sync(0xffffffff, total, 0);  // may: warp-mask
    result[lane] = total;
}

int main() {
    unsigned *result, host[32] = {};
    cudaMalloc(&result, sizeof host);
    sum<<<1, 32>>>(result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(result);
    std::printf("%u\n", host[31]);
    return host[31] == 240 ? 0 : 1;
}
