// A counter of 4 bytes behind a byte of flags.
#include "../arrays.h"

__global__ void count(unsigned char* state) {
#ifdef BROKEN
    unsigned* counter = reinterpret_cast<unsigned*>(state + 1);
#else
    unsigned* counter = reinterpret_cast<unsigned*>(state + 4);
#endif
    atomicAdd(counter, 1u);  // expect: misaligned
}

int main() {
    Array<unsigned char> state(16, 0);
    count<<<2, 64>>>(state);
    return differs(state[4], 128);
}
