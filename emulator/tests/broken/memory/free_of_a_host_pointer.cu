// cudaFree() of what came from malloc().
#include <cstdlib>

#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 5;
}

int main() {
    int* x;
    int* host = static_cast<int*>(std::malloc(32 * sizeof(int)));
    cudaMalloc(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x);
    cudaMemcpy(host, x, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    const int last = host[31];
#ifdef BROKEN
    cudaFree(host);  // expect: invalid-free
#else
    cudaFree(x);
    std::free(host);
#endif
    return differs(last, 5);
}
