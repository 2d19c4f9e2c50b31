// The time between two events, and results in managed memory, behind all that makes the host wait: not each of them is
// a call for that event, and some questions are asked only to send the work on its way.
#include "../arrays.h"

__global__ void add(int* x) {
    x[threadIdx.x] += 1;
}

int main() {
    int* x;
    float milliseconds = 0;
    check(cudaMallocManaged(&x, 64 * sizeof(int)));
    Array<int> y(1, 5);
    for (int i = 0; i < 64; ++i) x[i] = 0;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    check(cudaStreamCreate(&stream));
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    int sum = 0;
    for (int way = 0; way < 6; ++way) {
        check(cudaEventRecord(begin, stream));
        add<<<1, 64, 0, stream>>>(x);
        check(cudaEventRecord(end, stream));
        cudaStreamQuery(stream);
        cudaEventQuery(end);
        if (way == 0) check(cudaEventSynchronize(end));
        if (way == 1) check(cudaStreamSynchronize(stream));
        if (way == 2) check(cudaDeviceSynchronize());
        if (way == 3) sum += y[0];
        while (way == 4 && cudaEventQuery(end) != cudaSuccess) {
        }
        while (way == 5 && cudaEventElapsedTime(&milliseconds, begin, end) == cudaErrorNotReady) {
        }
        cudaEventElapsedTime(&milliseconds, begin, end);
        sum += x[63];
    }
    cudaStreamDestroy(stream);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    check(cudaFree(x));
    return differs(sum, 26);
}
