// The mask names 32 lanes, and only 16 come; the others are on their way to another vote.
#include "../arrays.h"

__global__ void votes(unsigned* result) {
    const int lane = threadIdx.x;
    unsigned odd = 0;
#ifdef BROKEN
    if (lane < 16) odd = __ballot_sync(0xffffffff, lane % 2);  // expect: warp-mask
#else
    if (lane < 16) odd = __ballot_sync(0x0000ffff, lane % 2);
#endif
    const bool all = __all_sync(0xffffffff, lane < 32);  // may: warp-mask
    if (lane == 0) *result = all ? odd : 0;
}

int main() {
    Array<unsigned> result(1);
    votes<<<1, 32>>>(result);
    return differs(result[0], 0xaaaa);
}
