// Copies in inline PTX: the group of the last one is still on its way.
#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ alignas(16) int buffer[64];
    const int t = threadIdx.x;
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&buffer[t]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(x + t));  // may: copy-in-flight
    asm volatile("cp.async.commit_group;" ::: "memory");
#ifdef BROKEN
    asm volatile("cp.async.wait_group 1;" ::: "memory");  // may: copy-in-flight
#else
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
    __syncthreads();
    y[t] = buffer[63 - t];  // expect: copy-in-flight
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 63);
}
