// A vote or a shuffle of the whole warp is a synchronisation of its lanes; with __syncwarp() beside it, of memory too.
#include "../arrays.h"

__global__ void compact(const int* x, int* y, int* count) {
    __shared__ int kept[32];
    const int lane = threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, x[lane] % 3 == 0);
    if (mask >> lane & 1) kept[__popc(mask & ((1u << lane) - 1))] = x[lane];
    __syncwarp();
    if (lane < __popc(mask)) y[lane] = kept[lane];
    if (lane == 0) *count = __popc(mask);
}

int main() {
    // data: as-is, random: main() asks for the last of those that are kept, so one must be
    Array<int> x(32, [](int i) { return i; });
    Array<int> y(32);
    Array<int> count(1);
    compact<<<1, 32>>>(x, y, count);
    return differs(count[0], 11) || differs(y[count[0] - 1], 30);
}
