// A thread stores values for others by st.async, and these read them behind a barrier of the block, which such a store
// does not wait for.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(1) pass_on(const int* x, int* y) {
    __shared__ alignas(16) int values[32];
    __shared__ std::uint64_t barrier;
    const int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof values);
    }
    __syncthreads();
    if (t % 4 == 0) {
        const int four[] = {x[t], x[t + 1], x[t + 2], x[t + 3]};
        ptx::st_async(&values[t], four, &barrier);  // expect: copy-in-flight
    }
#ifdef BROKEN
    __syncthreads();
#else
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) continue;
#endif
    y[t] = values[31 - t];  // may: copy-in-flight
}

int main() {
    Array<int> x(32, [](int i) { return i + 1; });
    Array<int> y(32);
    pass_on<<<1, 32>>>(x, y);
    return differs(y[0], x[31]);
}
