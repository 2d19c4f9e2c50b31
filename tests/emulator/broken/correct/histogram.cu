// Shared counters are cleared, counted in with atomics and read, with a barrier between; the blocks' sums meet in
// atomics.
#include <cstdio>

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
    unsigned char *x, host[n];
    unsigned *bins, counts[256] = {};
    for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i * i);
    cudaMalloc(&x, n);
    cudaMalloc(&bins, sizeof counts);
    cudaMemcpy(x, host, n, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof counts);
    histogram<<<3, 64>>>(x, n, bins);
    cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
    unsigned zeros = 0;
    for (unsigned char c : host) zeros += c == 0;
    std::printf("%u\n", counts[0]);
    return counts[0] == zeros ? 0 : 1;
}
