// The lanes that keep a number share one atomicAdd(): the first of them makes it. __ffs() says which lane that is,
// plus 1.
#include "../arrays.h"

__global__ void keep_odd(const int* x, int* kept, int* count) {
    const int mine = x[threadIdx.x];
    const unsigned lane = threadIdx.x % 32, who = __ballot_sync(0xffffffff, mine % 2 == 1);
    if (mine % 2 == 0) return;
#ifdef BROKEN
    const int leader = __ffs(who);
#else
    const int leader = __ffs(who) - 1;
#endif
    int first = 0;
    if (static_cast<int>(lane) == leader) first = atomicAdd(count, __popc(who));
    first = __shfl_sync(who, first, leader);                // expect: warp-mask
    kept[first + __popc(who & ((1u << lane) - 1))] = mine;  // may: warp-mask
    // says: __ffs(mask) - 1
}

int main() {
    Array<int> x(64, [](int i) { return i; }), kept(32), count(1, [](int) { return 0; });
    keep_odd<<<1, 64>>>(x, kept, count);
    return differs(count[0], 32);
}
