// Each thread sets its own bit, but |= loads and stores the whole word.
#include "../arrays.h"

__global__ void marks(const int* x, unsigned* mask) {
    __shared__ unsigned bits;
    if (threadIdx.x == 0) bits = 0;
    __syncthreads();
#ifdef BROKEN
    if (x[threadIdx.x] > 0) bits |= 1u << threadIdx.x;  // expect: race
#else
    if (x[threadIdx.x] > 0) atomicOr(&bits, 1u << threadIdx.x);
#endif
    __syncthreads();
    if (threadIdx.x == 0) *mask = bits;
}

int main() {
    // data: as-is, random: which threads store depends on them
    Array<int> x(32, [](int i) { return i % 4 - 1; });
    Array<unsigned> mask(1);
    marks<<<1, 32>>>(x, mask);
    return differs(mask[0], 0xcccccccc);
}
