// Blocks draw tickets, and each adds its value to the total of the block before it. The total's flag is raised by a
// release, but looked at by a relaxed load; the ticket that the block drew has nothing to do with that total.
#include <cuda/atomic>

#include "../arrays.h"

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void add_up(const int* x, int* totals, int* flags, int* tickets) {
    __shared__ int part;
    if (threadIdx.x == 0) part = atomicAdd(tickets, 1);
    __syncthreads();
    if (threadIdx.x != 32) return;
    int total = x[part];
    if (part > 0) {
#ifdef BROKEN
        while (Flag(flags[part - 1]).load(cuda::memory_order_relaxed) == 0) continue;
#else
        while (Flag(flags[part - 1]).load(cuda::memory_order_acquire) == 0) continue;
#endif
        total += totals[part - 1];  // expect: race
    }
    totals[part] = total;  // expect: race, other
    Flag(flags[part]).store(1, cuda::memory_order_release);
}

int main() {
    Array<int> x(8, [](int i) { return i + 1; });
    Array<int> totals(8), flags(8, 0), tickets(1, 0);
    add_up<<<8, 64>>>(x, totals, flags, tickets);
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += x[i];
    return differs(totals[7], sum);
}
