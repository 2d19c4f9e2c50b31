// The halo has one element on the left: what is copied 16 bytes at a time begins at x - 1.
#include "../arrays.h"

__global__ void copy(const float* x, float* y) {
    __shared__ alignas(16) float tile[128];
    const int t = static_cast<int>(threadIdx.x);
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile + 4 * t));
#ifdef BROKEN
    const float* from = x + 4 * t + 3;
#else
    const float* from = x + 4 * t + 4;
#endif
    // says: from an address that is no multiple of its size: address 0x
    // says: c is 12 past a multiple of 16, at
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");  // expect: trap
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[t] = tile[4 * t];
}

int main() {
    Array<float> x(132, [](int i) { return i; });
    Array<float> y(32);
    copy<<<1, 32>>>(x, y);
    return differs(y[1], 8);
}
