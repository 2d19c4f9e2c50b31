// The lanes of a branch synchronise themselves as coalesced_threads() and then read what the other lanes have stored.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void halves(int* x) {
    __shared__ int cache[32];
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = tile.thread_rank();
    cache[lane] = x[lane];  // expect: race
#ifndef BROKEN
    tile.sync();
#endif
    if (lane < 16) {
        const auto active = cg::coalesced_threads();
        active.sync();
        x[lane] = cache[lane + active.size()];  // expect: race, other
    }
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    halves<<<1, 32>>>(x);
    return differs(x[0], 16);
}
