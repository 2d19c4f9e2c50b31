// A barrier may stand in a branch or a loop if all threads of the block go there.
#include "../arrays.h"

__global__ void settle(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = (t * 29 + blockIdx.x) % 64;
    __syncthreads();
    int rounds = 0;
    if (blockIdx.x % 2 == 0) {
        bool changed = true;
        while (__syncthreads_or(changed)) {
            changed = false;
            for (int phase = 0; phase < 2; ++phase) {
                const int i = 2 * t + phase;
                if (i + 1 < 64 && cache[i] > cache[i + 1]) {
                    const int left = cache[i];
                    cache[i] = cache[i + 1], cache[i + 1] = left;
                    changed = true;
                }
                __syncthreads();
            }
            ++rounds;
        }
    }
    x[64 * blockIdx.x + t] = cache[t] + 0 * rounds;
}

int main() {
    Array<int> x(128);
    settle<<<2, 64>>>(x);
    return differs(x[63], 63) || differs(x[127], (63 * 29 + 1) % 64);
}
