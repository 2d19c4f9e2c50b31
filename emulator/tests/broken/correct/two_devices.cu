// Copies between the memories of two devices wait for both where they are in a default stream; each device has its own
// variables; events lead from one device to the other.
// devices: 2
#include "../arrays.h"

__device__ int counter;
__constant__ int step = 1;

__global__ void count(int* out) {
    *out = counter += step;
}

__global__ void add(int* x, const int* y) {
    x[threadIdx.x] += y[threadIdx.x];
}

int main() {
    int *x[2], *count_of[2];
    cudaEvent_t done[2];
    cudaStream_t stream[2];
    for (int d = 0; d < 2; ++d) {
        check(cudaSetDevice(d));
        check(cudaDeviceEnablePeerAccess(1 - d, 0));
        check(cudaMalloc(&x[d], 32 * sizeof(int)));
        check(cudaMalloc(&count_of[d], sizeof(int)));
        check(cudaMemset(x[d], 0, 32 * sizeof(int)));
        check(cudaEventCreate(&done[d]));
        check(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
        check(cudaMemcpyToSymbolAsync(step, &d, sizeof d, 0, cudaMemcpyHostToDevice, stream[d]));
        count<<<1, 1, 0, stream[d]>>>(count_of[d]);
        count<<<1, 1, 0, stream[d]>>>(count_of[d]);
    }
    int counts = 0;
    for (int d = 0; d < 2; ++d) {
        int result = 0;
        check(cudaMemcpyAsync(&result, count_of[d], sizeof result, cudaMemcpyDefault, stream[d]));
        check(cudaStreamSynchronize(stream[d]));
        counts = 10 * counts + result;
    }
    for (int round = 0; round < 3; ++round) {
        for (int d = 0; d < 2; ++d) {
            check(cudaSetDevice(d));
            add<<<1, 32>>>(x[d], x[d]);  // in the default stream of each
        }
        check(cudaMemcpy(x[round % 2], x[1 - round % 2], 16 * sizeof(int), cudaMemcpyDefault));
        check(cudaMemcpyPeer(x[round % 2] + 16, round % 2, x[1 - round % 2] + 16, 1 - round % 2, 16 * sizeof(int)));
        check(cudaSetDevice(1 - round % 2));
        add<<<1, 32>>>(x[1 - round % 2], x[1 - round % 2]);
        check(cudaEventRecord(done[1 - round % 2]));
        check(cudaSetDevice(round % 2));
        check(cudaStreamWaitEvent(stream[round % 2], done[1 - round % 2]));
        add<<<1, 32, 0, stream[round % 2]>>>(x[round % 2], x[1 - round % 2]);
        check(cudaDeviceSynchronize());
    }
    int last = 1;
    check(cudaMemcpy(&last, x[1] + 31, sizeof last, cudaMemcpyDefault));
    for (int d = 0; d < 2; ++d) {
        check(cudaSetDevice(d));
        check(cudaFree(x[d]));
        check(cudaFree(count_of[d]));
        check(cudaEventDestroy(done[d]));
        check(cudaStreamDestroy(stream[d]));
    }
    return differs(counts + last, 2);
}
