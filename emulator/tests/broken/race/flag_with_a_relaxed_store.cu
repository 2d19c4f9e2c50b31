// A flag is raised by an atomic store that orders nothing else.
#include "../arrays.h"

__global__ void pass_on(int* value, int* flag, int* result) {
    if (blockIdx.x == 0) {
        *value = 7;  // expect: race
#ifdef BROKEN
        __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#else
        __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
#endif
    } else {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) continue;
        *result = *value;  // expect: race, other
    }
}

int main() {
    Array<int> value(1, 0), flag(1, 0), result(1, 0);
    pass_on<<<2, 1>>>(value, flag, result);
    return differs(result[0], 7);
}
