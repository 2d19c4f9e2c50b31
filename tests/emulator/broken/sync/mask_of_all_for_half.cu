// The mask names 32 lanes, and only 16 come; the others are on their way to another vote.
#include <cstdio>

__global__ void votes(unsigned* result) {
    const int lane = threadIdx.x;
    unsigned odd = 0;
#ifdef BROKEN
    if (lane < 16) odd = __ballot_sync(0xffffffff, lane % 2);  // expect: warp-mask
#else
    if (lane < 16) odd = __ballot_sync(0x0000ffff, lane % 2);
#endif
    const bool all = __all_sync(0xffffffff, lane < 32);  // may: warp-mask
    if (lane == 0) *result = all ? odd : 0;
}

int main() {
    unsigned *result, host = 0;
    cudaMalloc(&result, sizeof host);
    votes<<<1, 32>>>(result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(result);
    std::printf("%x\n", host);
    return host == 0xaaaa ? 0 : 1;
}
