// A stream belongs to the device that was current when it was made. A kernel that is launched in it runs there, and the
// memory was allocated on another one.
// devices: 2
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 7;  // expect: device-touches-peer
}

int main() {
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
#ifdef BROKEN
    check(cudaSetDevice(1));
#endif
    Array<int> x(32, 0);
    fill<<<1, 32, 0, stream>>>(x);
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    return differs(x[3], 7);
}
