// Many blocks raise flags, one collects them: volatile loads in a loop, each behind its own flag.
#include "../arrays.h"

__global__ void collect(int* parts, volatile unsigned* flags, int* result) {
    const int t = threadIdx.x, last = gridDim.x - 1, block = blockIdx.x;
    if (block < last) {
        if (t == 0) {
            parts[block] = 3 * block;
            __threadfence();
            flags[block] = 1;
        }
        return;
    }
    int sum = 0;
    for (int other = t; other < last; other += blockDim.x) {
        while (flags[other] == 0) continue;
        __threadfence();
        sum += parts[other];
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (t == 0) *result = sum;
}

int main() {
    Array<int> parts(40);
    Array<unsigned> flags(40, 0);
    Array<int> result(1);
    collect<<<41, 32>>>(parts, flags, result);
    return differs(result[0], 2340);
}
