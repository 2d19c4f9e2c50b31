// The mask of as many lanes as there are values, 32 of them: a number of 32 bits cannot be shifted so far.
#include "../arrays.h"

__global__ void select(const int* counts, unsigned* masks) {
    const int n = counts[threadIdx.x];
#ifdef BROKEN
    masks[threadIdx.x] = (1u << n) - 1;  // expect: shift
#else
    masks[threadIdx.x] = static_cast<unsigned>((1ull << n) - 1);
#endif
}

int main() {
    // data: as-is, constant, random: zeros fill no mask
    Array<int> counts(32, [](int i) { return i < 16 ? 5 : 32; });
    Array<unsigned> masks(32);
    select<<<1, 32>>>(counts, masks);
    return differs(masks[31], 0xffffffffu);
}
