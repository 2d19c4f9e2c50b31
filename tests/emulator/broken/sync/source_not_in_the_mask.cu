// The lower half asks lane 20, which is not among those that take part.
#include <cstdio>

__global__ void broadcast(int* x) {
    const int lane = threadIdx.x;
    int value = 10 * lane;
#ifdef BROKEN
    const int source = 20;
#else
    const int source = 12;
#endif
    if (lane < 16) value = __shfl_sync(0x0000ffff, value, source);  // expect: warp-mask
    x[lane] = value;
}

int main() {
    int *x, host[32] = {};
    cudaMalloc(&x, sizeof host);
    broadcast<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 120 ? 0 : 1;
}
