// A stack in shared memory: who sees that it is empty does not try; the others find out by an atomic who gets what.
#include "../arrays.h"

__global__ void take(int* taken, int n) {
    __shared__ int stack[32], size;
    const int t = threadIdx.x;
    if (t < n) stack[t] = 10 * t;
    if (t == 0) size = n;
    __syncthreads();
    int mine = -1;
    if (size > 0) {
        const int place = atomicSub(&size, 1) - 1;
        if (place >= 0) mine = stack[place];
    }
    taken[t] = mine;
}

int main() {
    Array<int> taken(64);
    take<<<1, 64>>>(taken, 20);
    int sum = 0, left = 0;
    for (int i = 0; i < 64; ++i) taken[i] < 0 ? ++left : sum += taken[i];
    return differs(sum, 1900) || differs(left, 44);
}
