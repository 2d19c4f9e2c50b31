// cudaLaunchKernel() takes the addresses of the arguments; it gets the argument itself, a pointer to device memory.
#include "../arrays.h"

__global__ void count_up(int* x, int n) {
    if (int(threadIdx.x) < n) x[threadIdx.x] = threadIdx.x;
}

int main() {
    Array<int> x(32);
    int* data = x;
    int n = 32;
#ifdef BROKEN
    void* arguments[] = {data, &n};
#else
    void* arguments[] = {&data, &n};
#endif
    // says: as &x for an argument x
    check(cudaLaunchKernel((void*)count_up, 1, 32, arguments, 0, nullptr));  // expect: host-touches-device
    return differs(x[5], 5);
}
