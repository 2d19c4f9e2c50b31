// Two kernels that nothing orders count in one word with atomic operations, and raise the same flag.
#include "../arrays.h"

__global__ void count(const int* x, int* zeros, int* any) {
    if (x[threadIdx.x] % 2 != 0) return;
    atomicAdd(zeros, 1);
    *any = 1;
}

int main() {
    Array<int> x(128, [](int i) { return i; }), zeros(1, 0);
    Array<int> any(1, 0);
    cudaStream_t a, b;
    check(cudaStreamCreate(&a));
    check(cudaStreamCreate(&b));
    count<<<1, 128, 0, a>>>(x, zeros, any);
    count<<<1, 128, 0, b>>>(x, zeros, any);
    const int n = zeros[0];
    check(cudaStreamDestroy(a));
    check(cudaStreamDestroy(b));
    return differs(n, 128);
}
