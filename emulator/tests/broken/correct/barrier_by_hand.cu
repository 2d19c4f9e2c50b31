// A barrier for the grid made of an atomic counter and fences; four blocks surely run at once.
#include "../arrays.h"

__global__ void rotate(const int* x, int* y, int* z, unsigned* arrived) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) continue;
        __threadfence();
    }
    __syncthreads();
    z[i] = y[(i + 40) % n];
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    Array<int> z(n);
    Array<unsigned> arrived(1, 0);
    rotate<<<4, 32>>>(x, y, z, arrived);
    return differs(z[0], 80);
}
