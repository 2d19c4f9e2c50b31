// Kernels whose least times have different causes: the launch, the blocks, the bytes.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                         \
    if (const cudaError_t error = (call); error != cudaSuccess) {                           \
        std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
        std::exit(1);                                                                       \
    }

__global__ void copy(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x];
}

// What a launch has written it does not read from memory.
__global__ void in_place(float* x) {
    x[threadIdx.x] += 1;
    x[threadIdx.x] *= 2;
}
__global__ void write_first(float* x, float* y) {
    x[threadIdx.x] = threadIdx.x;
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void again(const float* x, float* y) {
    float sum = 0;
    for (int i = 0; i < 5; ++i) sum += x[(threadIdx.x + 8 * i) % 64];
    y[threadIdx.x] = sum;
}

__global__ void count(unsigned* counters) {
    atomicAdd(&counters[threadIdx.x % 16], 1u);
}

__global__ void many_blocks() {}

// One float of each sector.
__global__ void far_apart(const float* x, float* sum) {
    float own = 0;
    for (std::size_t i = threadIdx.x; i < (std::size_t{5} << 20) / 2; i += blockDim.x) own += x[8 * i];
    if (own != 0) *sum = own;
}

int main() {
    float* x = nullptr;
    const std::size_t bytes = std::size_t{80} << 20;
    CHECK(cudaMalloc(&x, bytes));
    CHECK(cudaMemset(x, 0, bytes));
    copy<<<1, 64>>>(x, x + 1024);
    in_place<<<1, 64>>>(x);
    write_first<<<1, 64>>>(x, x + 1024);
    again<<<1, 64>>>(x, x + 1024);
    again<<<1, 64>>>(x, x + 1024);
    count<<<2, 64>>>(reinterpret_cast<unsigned*>(x));
    many_blocks<<<20000, 1>>>();
    far_apart<<<1, 1024>>>(x, x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
}
