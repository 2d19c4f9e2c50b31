// One warp fills a ring of four slots, 32 values each, the other empties it. Counters and fences of one lane stand for
// the whole warp, since __syncwarp() stands between them and the values.
#include "../arrays.h"

constexpr int slots = 4;

__global__ void pass_on(const int* x, int* y, int n) {
    __shared__ int values[slots][32];
    __shared__ unsigned filled, emptied;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) filled = emptied = 0;
    __syncthreads();
    const bool fills = threadIdx.x < 32;
    for (unsigned i = 0; i < static_cast<unsigned>(n); ++i) {
        if (lane == 0) {
            if (fills)
                while (i - atomicAdd(&emptied, 0u) >= slots) continue;
            else
                while (atomicAdd(&filled, 0u) <= i) continue;
            __threadfence_block();
        }
        __syncwarp();
        if (fills)
            values[i % slots][lane] = x[32 * i + lane];
        else
            y[32 * i + lane] = values[i % slots][31 - lane];
        __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            atomicAdd(fills ? &filled : &emptied, 1u);
        }
    }
}

int main() {
    const int n = 11;
    Array<int> x(32 * n, [](int i) { return i; });
    Array<int> y(32 * n);
    pass_on<<<1, 64>>>(x, y, n);
    return differs(y[0], 31) || differs(y[32 * n - 1], 32 * n - 32);
}
