// Half of the lanes shuffle up, the others down, and both name all 32.
#include <cstdio>

__global__ void fold(int* x) {
    const int lane = threadIdx.x;
    int value = lane;
#ifdef BROKEN
    if (lane < 16)
        value += __shfl_down_sync(0xffffffff, value, 16);  // expect: warp-mask
    else
        value += __shfl_up_sync(0xffffffff, value, 16);  // expect: warp-mask
#else
    value += __shfl_xor_sync(0xffffffff, value, 16);
#endif
    x[lane] = value;
}

int main() {
    int *x, host[32] = {};
    cudaMalloc(&x, sizeof host);
    fold<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 16 && host[31] == 46 ? 0 : 1;
}
