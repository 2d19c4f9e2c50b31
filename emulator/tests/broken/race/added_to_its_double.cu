// r = 3 * r + 2 by atomicAdd(), whose operand was computed from a plain load: the word may hold another value by then.
#include "../arrays.h"

__global__ void reduce(const int* x, int* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    // data: as-is, random: of values that are all alike none is lost
    if (x[i] > 120) atomicAdd(result, 2 * result[0] + 2);  // expect: race
#else
    for (int old = *result, seen = -1; x[i] > 120 && seen != old;) {
        seen = old;
        old = atomicCAS(result, seen, 3 * seen + 2);
    }
#endif
}

int main() {
    Array<int> x(128, [](int i) { return i * 37 % 128 + 1; }), result(1, 0);
    reduce<<<4, 32>>>(x, result);
    return differs(int(result[0]), 6560);
}
