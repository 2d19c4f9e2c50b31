// One thread says "found" and the others look while it does so. Both sides have to be atomic.
#include "../arrays.h"

__global__ void search(const int* x, int n, int value, int* found) {
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
#ifdef BROKEN
        if (*found >= 0) return;        // expect: race
        if (x[i] == value) *found = i;  // expect: race, other
#else
        if (atomicAdd(found, 0) >= 0) return;
        if (x[i] == value) atomicExch(found, i);
#endif
    }
}

int main() {
    const int n = 100;
    // data: as-is: if the value is not among them, nobody stores
    Array<int> x(n, [](int i) { return i * i; });
    Array<int> found(1, -1);
    search<<<2, 1>>>(x, n, 625, found);
    return differs(found[0], 25);
}
