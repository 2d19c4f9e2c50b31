// A value is handed to another block by a relaxed store, which orders nothing.
#include <cuda/atomic>

#include "../arrays.h"

__global__ void hand_over(int* value, int* flag, int* result) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *value = 7;  // expect: race
#ifdef BROKEN
        ready.store(1, cuda::memory_order_relaxed);
#else
        ready.store(1, cuda::memory_order_release);
#endif
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) continue;
        *result = *value;  // expect: race, other
    }
}

int main() {
    Array<int> value(1, 0), flag(1, 0), result(1, 0);
    hand_over<<<2, 1>>>(value, flag, result);
    return differs(result[0], 7);
}
