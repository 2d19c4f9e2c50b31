// One block of n threads, and n has grown. Nothing runs, and nobody asks for the error.
#include "../arrays.h"

__global__ void fill(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
}

int main() {
    const int n = 2048;
    Array<int> x(n, 0);
#ifdef BROKEN
    fill<<<1, n>>>(x);  // expect: refused-launch
#else
    fill<<<n / 256, 256>>>(x);
#endif
    return differs(x[n - 1], 2047);
}
