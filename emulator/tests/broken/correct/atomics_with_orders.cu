// Atomic operations that are a release or an acquire by themselves need no fence beside them.
#include "../arrays.h"

__global__ void count(int* lock, int* counter, int* value, int* flag, int* result) {
    for (;;) {
        int expected = 0;
        if (__nv_atomic_compare_exchange_n(lock, &expected, 1, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE))
            break;
    }
    *counter += 1;
    __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *value = 7;
        __nv_atomic_store_n(flag, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) continue;
        *result = *value;
    }
}

int main() {
    Array<int> lock(1, 0), counter(1, 0), value(1, 0), flag(1, 0), result(1, 0);
    count<<<2, 32>>>(lock, counter, value, flag, result);
    return differs(counter[0] + result[0], 71);
}
