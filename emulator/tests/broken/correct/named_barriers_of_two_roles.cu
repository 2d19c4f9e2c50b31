// Two warps make values and two use them, through two buffers: bar.arrive says that one is full, or empty again, and
// bar.sync waits for that. Each barrier is for all four warps.
#include "../arrays.h"

constexpr int role = 64;

__device__ void arrive(int barrier) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(2 * role) : "memory");
}
__device__ void sync(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(2 * role) : "memory");
}

__global__ void pass_on(const int* x, int* y, int n) {
    __shared__ int values[2][role];
    const int thread = threadIdx.x % role;
    constexpr int full = 1, empty = 3;  // and one more of each
    if (threadIdx.x < role) {
        for (int i = 0; i < n; ++i) {
            if (i >= 2) sync(empty + i % 2);
            values[i % 2][thread] = x[role * i + thread];
            arrive(full + i % 2);
        }
    } else {
        for (int i = 0; i < n; ++i) {
            sync(full + i % 2);
            y[role * i + thread] = values[i % 2][role - 1 - thread];
            if (i + 2 < n) arrive(empty + i % 2);
        }
    }
}

int main() {
    const int n = 11;
    Array<int> x(role * n, [](int i) { return i; });
    Array<int> y(role * n);
    pass_on<<<1, 2 * role>>>(x, y, n);
    check(cudaDeviceSynchronize());
    return differs(y[0], x[role - 1]) || differs(y[role * n - 1], x[role * (n - 1)]);
}
