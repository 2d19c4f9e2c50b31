// A mask may name lanes that have returned: a vote waits for those only that have not, and takes the others for no.
#include <cstdio>

__global__ void votes(unsigned* result, int n) {
    const int lane = threadIdx.x;
    if (lane >= n) return;
    const unsigned even = __ballot_sync(0xffffffff, lane % 2 == 0);
    if (lane == 0) *result = even;
}

int main() {
    unsigned *result, host = 0;
    cudaMalloc(&result, sizeof host);
    votes<<<1, 32>>>(result, 10);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%x\n", host);
    return host == 0x155 ? 0 : 1;
}
