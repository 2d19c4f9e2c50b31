// Threads wait for the same parity in every round: some rounds they do not wait, in others for ever.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void sums(const int* x, int* y, int tiles) {
    __shared__ alignas(16) int tile[2][32];
    __shared__ std::uint64_t full[2];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    const auto fetch = [&](int i) {
        ptx::cp_async_bulk(  // may: copy-in-flight
            ptx::space_cluster, ptx::space_global, tile[i % 2], x + 32 * i, sizeof tile[0], &full[i % 2]);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i % 2],
                                       sizeof tile[0]);
    };
    if (t == 0) fetch(0);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (t == 0 && i + 1 < tiles) fetch(i + 1);
#ifdef BROKEN
        const unsigned parity = 0;
#else
        const unsigned parity = i / 2 % 2;
#endif
        while (!ptx::mbarrier_try_wait_parity(&full[i % 2], parity)) {  // expect: deadlock
        }
        sum += tile[i % 2][31 - t];  // may: copy-in-flight
        __syncthreads();
    }
    y[t] = sum;
}

int main() {
    Array<int> x(32 * 6, [](int i) { return i; }), y(32);
    sums<<<1, 32>>>(x, y, 6);
    return differs(y[31], 32 * 15);
}
