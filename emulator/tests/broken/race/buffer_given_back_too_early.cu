// The warp that uses two buffers in turns gives each back before it has read it.
#include <cuda/barrier>

#include "../arrays.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void sums(const int* x, int* result, int steps) {
    __shared__ Barrier filled[2], used[2];
    __shared__ int buffer[2][32];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            init(&filled[i], 32);
            init(&used[i], 32);
        }
    __syncthreads();
    int sum = 0;
    for (int step = 0; step < steps; ++step) {
        const int stage = step % 2, lane = static_cast<int>(threadIdx.x) % 32;
        const bool parity = step / 2 % 2 != 0;
        if (threadIdx.x < 32) {
            used[stage].wait_parity(!parity);
            buffer[stage][lane] = x[32 * step + lane];  // expect: race
            (void)filled[stage].arrive();
        } else {
            filled[stage].wait_parity(parity);
#ifdef BROKEN
            (void)used[stage].arrive();
            sum += buffer[stage][31 - lane];  // expect: race, other
#else
            sum += buffer[stage][31 - lane];
            (void)used[stage].arrive();
#endif
        }
    }
    if (threadIdx.x >= 32) atomicAdd(result, sum);
}

int main() {
    Array<int> x(32 * 4, [](int i) { return i; }), result(1, 0);
    sums<<<1, 64>>>(x, result, 4);
    return differs(result[0], 128 * 127 / 2);
}
