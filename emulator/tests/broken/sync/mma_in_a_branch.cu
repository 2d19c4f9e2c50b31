// A matrix product takes the whole warp, and only those lanes come that have a row of their own to store.
#include "../arrays.h"

__global__ void multiply(const unsigned* a, int* sums) {
    const int lane = threadIdx.x;
    int sum[2] = {0, 0};
#ifdef BROKEN
    if (lane < 16)
#endif
        asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"  // expect: warp-mask
            : "+r"(sum[0]), "+r"(sum[1])
            : "r"(a[lane]), "r"(a[lane]));
    if (lane < 16) sums[lane] = sum[0] + sum[1];
}

int main() {
    Array<unsigned> a(32, 0x01010101u);
    Array<int> sums(16);
    multiply<<<1, 32>>>(a, sums);
    return differs(sums[5], 32);
}
