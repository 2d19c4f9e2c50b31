// The upper half names all lanes, the lower half only itself.
#include "../arrays.h"

__global__ void votes(unsigned* result) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    const unsigned mask = lane < 16 ? 0x0000ffff : 0xffffffff;
#else
    const unsigned mask = lane < 16 ? 0x0000ffff : 0xffff0000;
#endif
    result[lane] = __ballot_sync(mask, lane % 4 == 0);  // expect: warp-mask
    __syncwarp();                                       // may: warp-mask
}

int main() {
    Array<unsigned> result(32);
    votes<<<1, 32>>>(result);
    return differs(result[0], 0x1111) || differs(result[31], 0x11110000);
}
