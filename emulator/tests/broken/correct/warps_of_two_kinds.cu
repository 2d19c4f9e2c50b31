// One warp fills a ring of buffers, three others use it up: barriers at which some arrive and others wait.
#include <cuda/barrier>

#include "../arrays.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void sums(const int* x, int* result, int steps) {
    constexpr int stages = 2, consumers = 96;
    __shared__ Barrier filled[stages], used[stages];
    __shared__ int buffer[stages][32];
    if (threadIdx.x == 0)
        for (int i = 0; i < stages; ++i) {
            init(&filled[i], 32);
            init(&used[i], consumers);
        }
    __syncthreads();
    const bool produces = threadIdx.x < 32;
    int sum = 0;
    for (int step = 0; step < steps; ++step) {
        const int stage = step % stages, lane = static_cast<int>(threadIdx.x) % 32;
        const bool parity = step / stages % 2 != 0;
        if (produces) {
            used[stage].wait_parity(!parity);
            buffer[stage][lane] = x[32 * step + lane];
            (void)filled[stage].arrive();
        } else {
            filled[stage].wait_parity(parity);
            sum += buffer[stage][31 - lane];
            (void)used[stage].arrive();
        }
    }
    if (!produces) atomicAdd(result, sum);
}

int main() {
    Array<int> x(32 * 7, [](int i) { return i; }), result(1, 0);
    sums<<<1, 128>>>(x, result, 7);
    return differs(result[0], 3 * 224 * 223 / 2);
}
