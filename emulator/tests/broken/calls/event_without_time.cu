// Events that were made without timing, for speed, are asked for a time.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    Array<int> x(256);
#ifdef BROKEN
    const unsigned flags = cudaEventDisableTiming;
#else
    const unsigned flags = cudaEventDefault;
#endif
    cudaEvent_t events[2];
    for (cudaEvent_t& each : events) check(cudaEventCreateWithFlags(&each, flags));
    cudaEventRecord(events[0]);
    fill<<<1, 256>>>(x);
    cudaEventRecord(events[1]);
    cudaEventSynchronize(events[1]);
    float milliseconds = -1;
    if (x[3] == 3) cudaEventElapsedTime(&milliseconds, events[0], events[1]);  // expect: failed-call
    for (cudaEvent_t each : events) check(cudaEventDestroy(each));
    return differs(milliseconds >= 0, true);
}
