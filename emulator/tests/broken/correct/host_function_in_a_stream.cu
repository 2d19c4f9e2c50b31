// A function of the host stands between two copies of a stream.
#include "../arrays.h"

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;
}

void increment(void* data) {
    for (int i = 0; i < 32; ++i) ++static_cast<int*>(data)[i];
}

int main() {
    int *x, *pinned;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMallocHost(&pinned, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) pinned[i] = i;
    for (int round = 0; round < 2; ++round) {
        cudaMemcpyAsync(x, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, stream);
        twice<<<1, 32, 0, stream>>>(x);
        cudaMemcpyAsync(pinned, x, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
        cudaLaunchHostFunc(stream, increment, pinned);
    }
    cudaStreamSynchronize(stream);
    const int value = pinned[31];
    cudaFreeHost(pinned);
    cudaFree(x);
    cudaStreamDestroy(stream);
    return differs(value, 127);
}
