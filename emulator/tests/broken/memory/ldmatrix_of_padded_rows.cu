// One element more for each row keeps the banks apart, and leaves each second row where ldmatrix cannot begin.
#include "../arrays.h"

__global__ void load(unsigned* y) {
#ifdef BROKEN
    constexpr int row = 9;
#else
    constexpr int row = 16;
#endif
    __shared__ alignas(16) unsigned short tile[8 * row];
    const int t = static_cast<int>(threadIdx.x);
    for (int i = t; i < 8 * row; i += 32) tile[i] = static_cast<unsigned short>(i);
    __syncwarp();
    const auto from = static_cast<unsigned>(__cvta_generic_to_shared(tile + t % 8 * row));
    unsigned pair;
    // says: past a multiple of 16, at
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(pair) : "r"(from));  // expect: trap
    y[t] = pair;
}

int main() {
    Array<unsigned> y(32);
    load<<<1, 32>>>(y);
    return differs(y[4], 16 | 17 << 16);
}
