// All 64 threads arrive, and the barrier was initialised for 32 arrivals: two phases end where one was meant.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void reverse(const int* x, int* y) {
    __shared__ std::uint64_t full;
    __shared__ int buffer[64];
    const int t = static_cast<int>(threadIdx.x);
#ifdef BROKEN
    if (t == 0) ptx::mbarrier_init(&full, 32);
#else
    if (t == 0) ptx::mbarrier_init(&full, 64);
#endif
    __syncthreads();
    buffer[t] = x[t];  // may: race
    ptx::mbarrier_arrive(&full);
    // says: Each phase of that barrier ends after 32 arrivals, and 64 threads arrive there.
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) continue;  // expect: deadlock
    y[t] = buffer[63 - t];                                      // may: race
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 63);
}
