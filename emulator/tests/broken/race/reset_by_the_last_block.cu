// The last block sets the counter back for the next launch; without a fence, the others' additions may come after that.
#include "../arrays.h"

__global__ void take_tiles(unsigned* next, unsigned* finished, int* y, unsigned tiles) {
    __shared__ unsigned tile;
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) tile = atomicAdd(next, 1u);  // expect: race, other
        __syncthreads();
        if (tile >= tiles) break;
        y[tile * blockDim.x + threadIdx.x] += 1;
    }
    if (threadIdx.x != 0) return;
#ifndef BROKEN
    __threadfence();
#endif
    if (atomicAdd(finished, 1u) == gridDim.x - 1) *finished = 0, *next = 0;  // expect: race
    // says: each of them needs a __threadfence() before it counts
}

int main() {
    constexpr int tiles = 10, threads = 64;
    Array<unsigned> counters(2, 0);
    Array<int> y(tiles * threads, 0);
    for (int launch = 0; launch < 2; ++launch) take_tiles<<<3, threads>>>(counters, counters + 1, y, tiles);
    return differs(y[tiles * threads - 1], 2);
}
