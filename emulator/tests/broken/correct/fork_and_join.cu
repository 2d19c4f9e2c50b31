// Streams that wait for nothing by default, put in order by events; one of them is destroyed and another made.
#include "../arrays.h"

__global__ void add(int* x, int value) {
    x[threadIdx.x] += value;
}

__global__ void both(const int* x, const int* y, int* sum) {
    sum[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x];
}

int main() {
    constexpr int n = 64;
    Array<int> x(n, 0), y(n, 0), sum(n, 0);
    cudaStream_t streams[3];
    for (cudaStream_t& stream : streams) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaEvent_t forked, joined;
    check(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    for (int step = 0; step < 4; ++step) {
        add<<<1, n, 0, streams[0]>>>(x, 1);
        add<<<1, n, 0, streams[0]>>>(y, 2);
        check(cudaEventRecord(forked, streams[0]));
        check(cudaStreamWaitEvent(streams[1], forked));
        check(cudaStreamWaitEvent(streams[2], forked));
        add<<<1, n, 0, streams[1]>>>(x, 10);
        add<<<1, n, 0, streams[2]>>>(y, 20);
        for (int s = 1; s < 3; ++s) {
            check(cudaEventRecord(joined, streams[s]));  // the same event: a wait is for what it stood for then
            check(cudaStreamWaitEvent(streams[0], joined));
        }
        both<<<1, n, 0, streams[0]>>>(x, y, sum);
        check(cudaStreamSynchronize(streams[0]));
        check(cudaStreamDestroy(streams[1]));
        check(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
    }
    check(cudaStreamSynchronize(streams[0]));
    for (cudaStream_t stream : streams) check(cudaStreamDestroy(stream));
    check(cudaEventDestroy(forked));
    check(cudaEventDestroy(joined));
    return differs(sum[n - 1], 132);
}
