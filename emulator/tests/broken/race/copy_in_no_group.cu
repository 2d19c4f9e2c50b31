// The wait is for groups of copies, and the copy was not committed to one.
#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ int buffer[64];
    const int t = threadIdx.x;
    buffer[t] = 0;
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&buffer[t]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(x + t));  // may: copy-in-flight
#ifndef BROKEN
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    asm volatile("cp.async.wait_group 0;" ::: "memory");  // may: copy-in-flight
    __syncthreads();
    y[t] = buffer[63 - t];  // expect: copy-in-flight
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 63);
}
