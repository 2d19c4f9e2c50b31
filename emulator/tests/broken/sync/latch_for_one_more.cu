// A latch opens when the threads of the block have loaded their values, and is made for one more than there are.
#include <cuda/latch>

#include "../arrays.h"

using Latch = cuda::latch<cuda::thread_scope_block>;

__global__ void mirror(int* x) {
    __shared__ int values[64];
    __shared__ alignas(Latch) char place[sizeof(Latch)];
    Latch* loaded = reinterpret_cast<Latch*>(place);
#ifdef BROKEN
    const int arrivals = blockDim.x + 1;
#else
    const int arrivals = blockDim.x;
#endif
    if (threadIdx.x == 0) new (loaded) Latch(arrivals);
    __syncthreads();
    values[threadIdx.x] = x[threadIdx.x];
    loaded->arrive_and_wait();  // expect: deadlock
    // says: A latch opens when
    x[threadIdx.x] = values[63 - threadIdx.x];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    mirror<<<1, 64>>>(x);
    return differs(x[0], 63);
}
