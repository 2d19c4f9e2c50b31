// A pointer walks down a thread's own array and one element further.
#include "../arrays.h"

__global__ void bits(unsigned* x) {
    unsigned digits[8];
    unsigned value = x[threadIdx.x];
#ifdef BROKEN
    unsigned* const first = digits - 1;
#else
    unsigned* const first = digits;
#endif
    for (unsigned* p = digits + 7; p >= first; --p) {
        *p = value % 2;  // expect: out-of-bounds
        value /= 2;
    }
    unsigned ones = 0;
    for (const unsigned digit : digits) ones += digit;
    x[threadIdx.x] = ones;
}

int main() {
    Array<unsigned> x(32, [](int i) { return i; });
    bits<<<1, 32>>>(x);
    return differs(x[31], 5);
}
