// Warp 0 leaves values in shared memory for warp 1, which waits for a flag there and not at a barrier.
#include "../arrays.h"

__global__ void pass_on(int* result) {
    __shared__ int values[32];
    __shared__ volatile int flag;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (warp == 0) {
        values[lane] = 5 * lane;
        __threadfence_block();
        __syncwarp();
        if (lane == 0) flag = 1;
    } else {
        while (flag == 0) continue;
        __threadfence_block();
        result[lane] = values[31 - lane];
    }
}

int main() {
    Array<int> result(32);
    pass_on<<<1, 64>>>(result);
    return differs(result[0], 155);
}
