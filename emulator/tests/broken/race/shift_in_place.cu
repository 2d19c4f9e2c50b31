// x[i] = x[i + 1] for all i at once: who is late reads what was already moved.
#include "../arrays.h"

__global__ void shift(int* x, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    if (i + 1 < n) x[i] = x[i + 1];  // expect: race
#else
    const int next = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i + 1 < n) x[i] = next;
#endif
}

int main() {
    Array<int> x(96, [](int i) { return i; });
    shift<<<1, 96>>>(x, 96);
    return differs(x[0], 1) || differs(x[94], 95);
}
