// The blocks of a cooperative launch scale by a maximum to which all contribute, and only their own barrier lies
// between.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void normalise(const int* x, int* y, int* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(largest, x[i]);  // expect: race, other
#ifdef BROKEN
    cg::this_thread_block().sync();
#else
    cg::this_grid().sync();
#endif
    y[i] = *largest - x[i];  // expect: race
}

int main() {
    Array<int> x(128, [](int i) { return i; }), y(128), largest(1, 0);
    int *px = x, *py = y, *p_largest = largest;
    void* arguments[] = {&px, &py, &p_largest};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(normalise), 2, 64, arguments, 0, nullptr));
    return differs(y[0], x[127] - x[0]);
}
