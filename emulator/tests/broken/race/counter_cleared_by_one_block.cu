// Each block counts itself, and one of them clears the counter behind its own barrier: others may not have counted yet.
#include "../arrays.h"

__global__ void count(int* counter, int* out) {
    const int before = atomicAdd(counter, 1);  // expect: race, other
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = before;
#ifdef BROKEN
    if (blockIdx.x == 1 && threadIdx.x == 0) *counter = 0;  // expect: race
#endif
}

int main() {
    Array<int> counter(1, 0), out(2);
    count<<<2, 64>>>(counter, out);
    return differs(counter[0], 2 * 64);
}
