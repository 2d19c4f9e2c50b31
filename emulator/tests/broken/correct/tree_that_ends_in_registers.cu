// A tree in shared memory down to 64 sums; a warp takes two of them into registers and ends with shuffles, without a
// barrier.
#include "../arrays.h"

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[256];
    const int t = threadIdx.x;
    cache[t] = x[256 * blockIdx.x + t];
    __syncthreads();
    for (int step = 128; step >= 64; step /= 2) {
        if (t < step) cache[t] += cache[t + step];
        __syncthreads();
    }
    if (t >= 32) return;
    int total = cache[t] + cache[t + 32];
    for (int step = 16; step > 0; step /= 2) total += __shfl_down_sync(0xffffffff, total, step);
    if (t == 0) atomicAdd(result, total);
}

int main() {
    Array<int> x(768, [](int i) { return i; });
    Array<int> result(1, 0);
    sum<<<3, 256>>>(x, result);
    return differs(result[0], 294528);
}
