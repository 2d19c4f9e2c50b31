// The last steps of a tree inside one warp, with __syncwarp() between the loads and the stores.
#include "../arrays.h"

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    if (t < 32) {
        int mine = cache[t] + cache[t + 32];
        for (int step = 16; step > 0; step /= 2) {
            cache[t] = mine;
            __syncwarp();
            mine += cache[t ^ step];
            __syncwarp();
        }
        if (t == 0) *result = mine;
    }
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 64>>>(x, result);
    return differs(result[0], 2016);
}
