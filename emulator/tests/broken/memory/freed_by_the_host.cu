// free() gets the array on the device, and cudaFree() was meant.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    const int n = 32;
    int *x, *host = static_cast<int*>(std::malloc(n * sizeof(int)));
    check(cudaMalloc(&x, n * sizeof(int)));
    fill<<<1, n>>>(x);
    check(cudaMemcpy(host, x, n * sizeof(int), cudaMemcpyDeviceToHost));
    const bool wrong = differs(host[n - 1], 31);
    std::free(host);
#ifdef BROKEN
    std::free(x);  // expect: invalid-free
#else
    check(cudaFree(x));
#endif
    return wrong;
}
