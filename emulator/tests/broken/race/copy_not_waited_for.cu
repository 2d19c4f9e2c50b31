// The block copies a tile together, in the background; nobody waits for the copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void reverse(const int* x, int* y) {
    __shared__ int tile[64];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, x, sizeof tile);  // expect: copy-in-flight
#ifndef BROKEN
    cg::wait(block);
#endif
    y[threadIdx.x] = tile[63 - threadIdx.x];  // may: copy-in-flight
#ifdef BROKEN
    cg::wait(block);
#endif
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 63);
}
