// More dynamic shared memory than a launch has without asking, and a second kernel with less of another size.
#include "../arrays.h"

__global__ void reverse(short* y, int n) {
    extern __shared__ short cache[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) cache[i] = static_cast<short>(i);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = cache[n - 1 - i];
}

int main() {
    const int n = 30000;
    const int bytes = n * sizeof(short);
    Array<short> y(n);
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    reverse<<<2, 64, 20 * sizeof(short)>>>(y, 0);
    reverse<<<1, 128, bytes>>>(y, n);
    return differs(y[0], n - 1);
}
