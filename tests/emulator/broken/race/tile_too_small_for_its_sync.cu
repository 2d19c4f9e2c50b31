// A group of 16 is synchronised where 32 lanes exchange values.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

#ifdef BROKEN
constexpr int lanes = 16;
#else
constexpr int lanes = 32;
#endif

__global__ void reverse(int* x) {
    __shared__ int cache[32];
    const auto tile = cg::tiled_partition<lanes>(cg::this_thread_block());
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: race
    tile.sync();
    x[t] = cache[31 - t];  // expect: race, other
}

int main() {
    int *x, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 31 ? 0 : 1;
}
