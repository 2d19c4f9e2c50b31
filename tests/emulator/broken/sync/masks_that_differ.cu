// The upper half names all lanes, the lower half only itself.
#include <cstdio>

__global__ void votes(unsigned* result) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    const unsigned mask = lane < 16 ? 0x0000ffff : 0xffffffff;
#else
    const unsigned mask = lane < 16 ? 0x0000ffff : 0xffff0000;
#endif
    result[lane] = __ballot_sync(mask, lane % 4 == 0);  // expect: warp-mask
    __syncwarp();                                       // may: warp-mask
}

int main() {
    unsigned *result, host[32] = {};
    cudaMalloc(&result, sizeof host);
    votes<<<1, 32>>>(result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(result);
    std::printf("%x\n", host[0]);
    return host[0] == 0x1111 && host[31] == 0x11110000 ? 0 : 1;
}
