// An object that owns an event is copied, and both copies destroy it.
#include "../arrays.h"

struct Event {
    cudaEvent_t event = nullptr;
    Event() { check(cudaEventCreate(&event)); }
#ifndef BROKEN
    Event(const Event&) = delete;
#endif
    ~Event() {
        cudaEventDestroy(event);  // expect: failed-call
    }
};

#ifdef BROKEN
void record(Event event) {
#else
void record(const Event& event) {
#endif
    check(cudaEventRecord(event.event));
}

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    Array<int> x(32);
    Event done;
    fill<<<1, 32>>>(x);
    record(done);
    return differs(x[31], 31);
}
