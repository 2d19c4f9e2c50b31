// The odd lanes are not there, and the mask says that they are.
#include "../arrays.h"

__global__ void sum(unsigned* result) {
    const unsigned lane = threadIdx.x;
    unsigned total = 0;
#ifdef BROKEN
    if (lane % 2 == 0) total = __reduce_add_sync(0xffffffff, lane);  // expect: warp-mask
#else
    if (lane % 2 == 0) total = __reduce_add_sync(0x55555555, lane);
#endif
    total = __shfl_sync(0xffffffff, total, 0);  // may: warp-mask
    result[lane] = total;
}

int main() {
    Array<unsigned> result(32);
    sum<<<1, 32>>>(result);
    return differs(result[31], 240);
}
