// The block copies a tile together, in the background; nobody waits for the copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse(const int* x, int* y) {
    __shared__ int tile[64];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, x, sizeof tile);  // expect: race
#ifndef BROKEN
    cg::wait(block);
#endif
    y[threadIdx.x] = tile[63 - threadIdx.x];  // expect: race, other
#ifdef BROKEN
    cg::wait(block);
#endif
}

int main() {
    int *x, *y, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[0]);
    return host[0] == 63 ? 0 : 1;
}
