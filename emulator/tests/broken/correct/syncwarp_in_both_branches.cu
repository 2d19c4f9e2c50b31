// Since Volta the lanes of a warp may come to __syncwarp() at different places; it joins them all the same.
#include "../arrays.h"

__global__ void exchange(int* x) {
    __shared__ int cache[32];
    const int lane = threadIdx.x;
    if (lane < 16) {
        cache[lane] = 2 * lane;
        __syncwarp();
        x[lane] = cache[lane + 16];
    } else {
        cache[lane] = 3 * lane;
        __syncwarp();
        x[lane] = cache[lane - 16];
    }
}

int main() {
    Array<int> x(32);
    exchange<<<1, 32>>>(x);
    return differs(x[0], 48) || differs(x[31], 30);
}
