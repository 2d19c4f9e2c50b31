// Lanes of one warp wait for each other's volatile flags: since Volta each lane gets its turn.
#include "../arrays.h"

__global__ void chain(int* y) {
    __shared__ int sums[32];
    __shared__ volatile int ready[32];
    const int lane = threadIdx.x;
    ready[lane] = 0;
    __syncwarp();
    int before = 0;
    if (lane > 0) {
        while (ready[lane - 1] == 0) continue;
        __threadfence_block();
        before = sums[lane - 1];
    }
    sums[lane] = before + lane;
    __threadfence_block();
    ready[lane] = 1;
    y[lane] = before + lane;
}

int main() {
    Array<int> y(32);
    chain<<<1, 32>>>(y);
    return differs(y[31], 496);
}
