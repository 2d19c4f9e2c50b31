// A copy in one stream raises flags that a kernel of another one waits for, by atomic operations that change nothing or
// take what is there. A kernel raises some by them, too, and a copy of another stream looks.
#include "../arrays.h"

__global__ void wait(int* flags, const int* data, int* y) {
    while (atomicAdd(&flags[0], 0) == 0) {
    }
    while (atomicCAS(&flags[1], 1, 2) != 1) {
    }
    while (atomicExch(&flags[2], 0) != 1) {
    }
    while (atomicOr(&flags[3], 0) != 1) {
    }
    while (atomicAnd(&flags[3], ~0) != 1) {
    }
    __threadfence();
    *y = *data;
}

__global__ void raise(int* flag, int* data) {
    *data = 2;
    __threadfence();
    atomicExch(flag, 1);
}

int main() {
    Array<int> flags(4, 0), data(1, 0), y(1, 0);
    const int one = 1, value = 40;
    int seen = 0;
    cudaStream_t copies, kernels;
    check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    check(cudaDeviceSynchronize());
    check(cudaMemcpyAsync(data, &value, sizeof value, cudaMemcpyHostToDevice, copies));
    for (int i = 0; i < 4; ++i) check(cudaMemcpyAsync(flags + i, &one, sizeof one, cudaMemcpyHostToDevice, copies));
    wait<<<1, 1, 0, kernels>>>(flags, data, y);
    check(cudaDeviceSynchronize());
    raise<<<1, 1, 0, kernels>>>(flags, data);
    while (seen == 0) {
        check(cudaMemcpyAsync(&seen, flags, sizeof seen, cudaMemcpyDeviceToHost, copies));
        check(cudaStreamSynchronize(copies));
    }
    check(cudaDeviceSynchronize());
    const int sum = y[0] + data[0];
    check(cudaStreamDestroy(copies));
    check(cudaStreamDestroy(kernels));
    return differs(sum, 42);
}
