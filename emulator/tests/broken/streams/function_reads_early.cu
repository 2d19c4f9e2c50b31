// A function in one stream reads what a kernel in another one writes.
#include "../arrays.h"

__global__ void square(int* x) {
    x[threadIdx.x] *= x[threadIdx.x];  // expect: unordered, other
}

void CUDART_CB add_up(void* data) {
    int* x = static_cast<int*>(data);
    for (int i = 1; i < 32; ++i) x[0] += x[i];  // expect: unordered
}

int main() {
    int* x;
    check(cudaMallocManaged(&x, 32 * sizeof(int)));
    for (int i = 0; i < 32; ++i) x[i] = i;
    cudaStream_t a, b;
    check(cudaStreamCreate(&a));
    check(cudaStreamCreate(&b));
    square<<<1, 32, 0, a>>>(x);
#ifdef BROKEN
    check(cudaLaunchHostFunc(b, add_up, x));
#else
    check(cudaLaunchHostFunc(a, add_up, x));
#endif
    check(cudaDeviceSynchronize());
    const int sum = x[0];
    check(cudaStreamDestroy(a));
    check(cudaStreamDestroy(b));
    check(cudaFree(x));
    return differs(sum, 10416);
}
