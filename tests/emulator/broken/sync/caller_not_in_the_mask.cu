// Lane 0 calls with a mask that leaves it out.
#include <cstdio>

__global__ void broadcast(int* x) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    const unsigned mask = 0xfffffffe;
#else
    const unsigned mask = 0xffffffff;
#endif
    x[lane] = __shfl_sync(mask, 10 * lane, 1);  // expect: warp-mask
}

int main() {
    int *x, host[32] = {};
    cudaMalloc(&x, sizeof host);
    broadcast<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[31]);
    return host[31] == 10 ? 0 : 1;
}
