// The mask of a vote is taken once, and in later rounds of the loop lanes that it names have left.
#include "../arrays.h"

__global__ void longest(const int* lengths, int* y) {
    const int lane = threadIdx.x;
    int sum = 0;
    unsigned mask = 0xffffffff;
    // data: as-is, random: of equal lengths all lanes leave in one round
    for (int i = 0;; ++i) {
#ifdef BROKEN
        if (i == 0)
#endif
            mask = __ballot_sync(mask, i < lengths[lane]);  // may: warp-mask, deadlock
        if (i >= lengths[lane]) break;
        sum += __popc(__match_any_sync(mask, i));  // expect: warp-mask
    }
    __syncwarp();  // may: warp-mask, deadlock
    y[lane] = sum;
}

int main() {
    Array<int> lengths(32, [](int i) { return 1 + i % 4; }), y(32);
    longest<<<1, 32>>>(lengths, y);
    return differs(y[0], 32);
}
