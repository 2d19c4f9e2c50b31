// Shared counters are cleared, counted in with atomics and read, with a barrier between; the blocks' sums meet in
// atomics.
#include "../arrays.h"

__global__ void histogram(const unsigned char* x, int n, unsigned* bins) {
    __shared__ unsigned count[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) count[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&count[x[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (count[i] > 0) atomicAdd(&bins[i], count[i]);
}

int main() {
    const int n = 3000;
    const auto value = [](int i) { return static_cast<unsigned char>(i * i); };
    Array<unsigned char> x(n, value);
    Array<unsigned> bins(256, 0);
    histogram<<<3, 64>>>(x, n, bins);
    unsigned zeros = 0;
    for (int i = 0; i < n; ++i) zeros += value(i) == 0;
    return differs(bins[0], zeros);
}
