// Lane 0 calls with a mask that leaves it out.
#include "../arrays.h"

__global__ void broadcast(int* x) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    const unsigned mask = 0xfffffffe;
#else
    const unsigned mask = 0xffffffff;
#endif
    x[lane] = __shfl_sync(mask, 10 * lane, 1);  // expect: warp-mask
}

int main() {
    Array<int> x(32);
    broadcast<<<1, 32>>>(x);
    return differs(x[31], 10);
}
