// More dynamic shared memory than a launch has without asking, and a second kernel with less of another size.
#include <cstdio>

__global__ void reverse(short* y, int n) {
    extern __shared__ short cache[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) cache[i] = static_cast<short>(i);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = cache[n - 1 - i];
}

int main() {
    const int n = 30000;
    static short host[n];
    short* y;
    cudaMalloc(&y, sizeof host);
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof host));
    reverse<<<2, 64, 20 * sizeof(short)>>>(y, 0);
    reverse<<<1, 128, sizeof host>>>(y, n);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);
    return host[0] == n - 1 ? 0 : 1;
}
