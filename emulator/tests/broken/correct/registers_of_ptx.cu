// A kernel asks in PTX where it runs, and in libcu++: that is no access to the host's memory.
#include <cuda/ptx>

#include "../arrays.h"

__device__ unsigned multiprocessors() {
    unsigned n;
    asm("mov.u32 %0, %%nsmid;" : "=r"(n));
    return n;
}

__device__ unsigned warps_of_a_multiprocessor() {
    unsigned n;
    asm("mov.u32 %0, %%nwarpid;" : "=r"(n));
    return n;
}

__global__ void blocks_that_know(int* known) {
    unsigned here;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    const bool is_one = here < multiprocessors() && cuda::ptx::get_sreg_nsmid() == multiprocessors();
    if (threadIdx.x == 0) known[blockIdx.x] = is_one && warps_of_a_multiprocessor() >= blockDim.x / 32;
}

int main() {
    constexpr int blocks = 100;
    Array<int> known(blocks);
    blocks_that_know<<<blocks, 64>>>(known);
    return differs(known[blocks - 1], 1);
}
