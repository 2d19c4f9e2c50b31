// The lanes enter one after another, and one that has nothing to add leaves without letting the next one in.
#include <cuda/semaphore>

#include "../arrays.h"

using Gate = cuda::binary_semaphore<cuda::thread_scope_block>;

__global__ void total(const int* x, int* sum, int n) {
    __shared__ alignas(Gate) char place[sizeof(Gate)];
    Gate* gate = reinterpret_cast<Gate*>(place);
    if (threadIdx.x == 0) new (gate) Gate(1);
    __syncthreads();
    gate->acquire();  // expect: deadlock
    // says: Nobody releases the semaphore
#ifdef BROKEN
    if (static_cast<int>(threadIdx.x) >= n) return;
    *sum += x[threadIdx.x];
#else
    if (static_cast<int>(threadIdx.x) < n) *sum += x[threadIdx.x];
#endif
    gate->release();
}

int main() {
    Array<int> x(50, [](int i) { return i; });
    Array<int> sum(1, [](int) { return 0; });
    total<<<1, 64>>>(x, sum, 50);
    return differs(sum[0], 50 * 49 / 2);
}
