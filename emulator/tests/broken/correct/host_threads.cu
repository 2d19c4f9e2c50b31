// Two threads of the host launch kernels on memory of their own.
#include <thread>

#include "../arrays.h"

__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value * static_cast<int>(threadIdx.x);
}

void run(int value, int* last) {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x, value);
    cudaMemcpy(last, x + 31, sizeof *last, cudaMemcpyDeviceToHost);
    cudaFree(x);
}

int main() {
    int last[2] = {};
    std::thread other(run, 2, &last[0]);
    run(3, &last[1]);
    other.join();
    return differs(last[0], 62) || differs(last[1], 93);
}
