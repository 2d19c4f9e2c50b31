// A bit of a set of 64: the number of the bit is that in the whole set, and the word has 32.
#include "../arrays.h"

__global__ void collect(const int* members, unsigned* set) {
    const int bit = members[threadIdx.x];
#ifdef BROKEN
    atomicOr(&set[bit / 32], 1u << bit);  // expect: shift
#else
    atomicOr(&set[bit / 32], 1u << bit % 32);
#endif
}

int main() {
    // data: as-is, constant, random: with zeros the first word is enough
    Array<int> members(64, [](int i) { return i; });
    Array<unsigned> set(2, 0u);
    collect<<<1, 64>>>(members, set);
    return differs(set[1], 0xffffffffu);
}
