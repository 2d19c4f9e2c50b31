// Each device smooths its half and sends the row at the cut to the other one, whose kernel may still read the old one.
// devices: 2
#include "../arrays.h"

__global__ void smooth(const int* from, int* to) {
    const int i = threadIdx.x + 1;
    to[i] = (from[i - 1] + from[i + 1]) / 2;  // expect: unordered
}

int main() {
    constexpr int n = 32;  // and a halo of one at each end
    int *old_half[2], *new_half[2];
    cudaStream_t stream[2];
    cudaEvent_t computed[2];
    for (int d = 0; d < 2; ++d) {
        check(cudaSetDevice(d));
        check(cudaMalloc(&old_half[d], (n + 2) * sizeof(int)));
        check(cudaMalloc(&new_half[d], (n + 2) * sizeof(int)));
        check(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
        check(cudaEventCreateWithFlags(&computed[d], cudaEventDisableTiming));
        check(cudaMemsetAsync(old_half[d], 0, (n + 2) * sizeof(int), stream[d]));
        check(cudaMemsetAsync(new_half[d], 0, (n + 2) * sizeof(int), stream[d]));
        check(cudaStreamSynchronize(stream[d]));
    }
    for (int step = 0; step < 2; ++step) {
        for (int d = 0; d < 2; ++d) {
            check(cudaSetDevice(d));
            smooth<<<1, n, 0, stream[d]>>>(old_half[d], new_half[d]);
            check(cudaEventRecord(computed[d], stream[d]));
        }
        for (int d = 0; d < 2; ++d) {
#ifndef BROKEN
            check(cudaStreamWaitEvent(stream[d], computed[1 - d]));
#endif
            int* halo = old_half[1 - d] + (d == 0 ? 0 : n + 1);
            const int* cut = new_half[d] + (d == 0 ? n : 1);
            check(cudaMemcpyPeerAsync(halo, 1 - d, cut, d, sizeof(int), stream[d]));  // expect: unordered, other
        }
        for (int d = 0; d < 2; ++d) check(cudaStreamSynchronize(stream[d]));
    }
    int end = 1;
    check(cudaMemcpy(&end, old_half[0] + n + 1, sizeof end, cudaMemcpyDefault));
    for (int d = 0; d < 2; ++d) {
        check(cudaSetDevice(d));
        check(cudaFree(old_half[d]));
        check(cudaFree(new_half[d]));
        check(cudaStreamDestroy(stream[d]));
        check(cudaEventDestroy(computed[d]));
    }
    return differs(end, 0);
}
