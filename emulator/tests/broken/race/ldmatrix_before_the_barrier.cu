// The rows of a matrix are written by another warp than the one that loads them.
#include "../arrays.h"

__global__ void load(const unsigned* x, unsigned* y) {
    __shared__ alignas(16) unsigned rows[64];
    const int t = threadIdx.x;
    rows[63 - t] = x[t];  // expect: race, other
#ifndef BROKEN
    __syncthreads();
#endif
    unsigned word;
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&rows[t / 32 * 32 + t % 8 * 4]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(word) : "r"(address));  // expect: race
    y[t] = word;
}

int main() {
    Array<unsigned> x(64, [](int i) { return i; });
    Array<unsigned> y(64);
    load<<<1, 64>>>(x, y);
    return differs(y[33], 30);
}
