// Two results are compared by the host, with memcmp(), where they lie: in device memory.
#include <cstring>

#include "../arrays.h"

__global__ void squares(int* x) {
    x[threadIdx.x] = threadIdx.x * threadIdx.x;
}

int main() {
    const int n = 32;
    Array<int> a(n), b(n);
    squares<<<1, n>>>(a);
    squares<<<1, n>>>(b);
    check(cudaDeviceSynchronize());
#ifdef BROKEN
    const bool same = std::memcmp(a.data(), b.data(), n * sizeof(int)) == 0;  // expect: host-touches-device
#else
    int host_a[n], host_b[n];
    check(cudaMemcpy(host_a, a, sizeof host_a, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(host_b, b, sizeof host_b, cudaMemcpyDeviceToHost));
    const bool same = std::memcmp(host_a, host_b, sizeof host_a) == 0;
#endif
    return differs(same, 1);
}
