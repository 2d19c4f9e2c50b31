// A flag in inline PTX whose store releases nothing: what was stored before it may not be there yet.
#include "../arrays.h"

__global__ void hand_over(unsigned* flag, int* data, int* y) {
    if (blockIdx.x == 0) {
        asm volatile("st.global.s32 [%0], %1;" ::"l"(data), "r"(42) : "memory");  // expect: race, other
#ifdef BROKEN
        asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
#else
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
#endif
    } else {
        unsigned seen;
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen == 0);
        int found;
        asm volatile("ld.global.s32 %0, [%1];" : "=r"(found) : "l"(data) : "memory");  // expect: race
        *y = found;
    }
}

int main() {
    Array<unsigned> flag(1, 0);
    Array<int> data(1), y(1);
    hand_over<<<2, 1>>>(flag, data, y);
    return differs(y[0], 42);
}
