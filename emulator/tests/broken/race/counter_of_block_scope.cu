// The blocks of a grid count in one word, with an atomic_ref whose scope is the block.
#include <cuda/atomic>

#include "../arrays.h"

#ifdef BROKEN
constexpr cuda::thread_scope scope = cuda::thread_scope_block;
#else
constexpr cuda::thread_scope scope = cuda::thread_scope_device;
#endif

__global__ void count(const int* x, int* counter) {
    cuda::atomic_ref<int, scope> found(*counter);
    if (x[blockIdx.x * blockDim.x + threadIdx.x] > 0) found.fetch_add(1);  // expect: race
}

int main() {
    // data: as-is: of zeros nothing is counted, and other values may all lie in one block.
    Array<int> x(128, [](int i) { return i % 3; }), counter(1, 0);
    count<<<4, 32>>>(x, counter);
    return differs(counter[0], 85);
}
