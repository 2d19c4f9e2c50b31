// The pointer lives longer than the buffer that it came from.
#include "../arrays.h"

struct DeviceBuffer {
    int* data;
    explicit DeviceBuffer(int n) { cudaMalloc(&data, n * sizeof(int)); }
    ~DeviceBuffer() { cudaFree(data); }
};

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;  // expect: use-after-free
}

int main() {
    const int n = 64;
    int host[n] = {}, *x;
    DeviceBuffer kept(n);
    {
        DeviceBuffer gone(n);
#ifdef BROKEN
        x = gone.data;
#else
        x = kept.data;
#endif
    }
    fill<<<1, n>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    return differs(host[n - 1], n - 1);
}
