// Freed once in the function and once by its caller.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 5;
}

int run(int* x) {
    int last = 0;
    fill<<<1, 32>>>(x);
    cudaMemcpy(&last, x + 31, sizeof last, cudaMemcpyDeviceToHost);
#ifdef BROKEN
    cudaFree(x);
#endif
    return last;
}

int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    const int last = run(x);
    cudaFree(x);  // expect: double-free
    return differs(last, 5);
}
