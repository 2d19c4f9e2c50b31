// cudaMemset() is work of the default stream, and the kernel's stream does not wait for that.
#include "../arrays.h"

__global__ void count(int* bins, const int* keys) {
    atomicAdd(&bins[keys[threadIdx.x] % 4], 1);  // expect: unordered
}

__global__ void tell(const int* bins, int* most) {
    *most = max(max(bins[0], bins[1]), max(bins[2], bins[3]));  // expect: unordered
}

int main() {
    Array<int> bins(4, 0), keys(128, [](int i) { return i; }), most(1, 0);
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
#ifdef BROKEN
    check(cudaMemset(bins, 0, 4 * sizeof(int)));  // expect: unordered, other
#else
    check(cudaMemsetAsync(bins, 0, 4 * sizeof(int), stream));
#endif
    tell<<<1, 1, 0, stream>>>(bins, most);
    count<<<1, 128, 0, stream>>>(bins, keys);
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    return differs(bins[3], 32);
}
