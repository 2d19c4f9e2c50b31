// A class frees the memory, on every way out; a function for the steps returns at the first error.

#include <cstddef>

#include "common/check.h"

__global__ void scan_kernel(const unsigned char* in, unsigned* out, std::size_t n) {
    __shared__ unsigned sums[256];
    unsigned before = 0;
    for (std::size_t begin = 0; begin < n; begin += 256) {
        const std::size_t i = begin + threadIdx.x;
        unsigned sum = i < n ? in[i] : 0;
        sums[threadIdx.x] = sum;
        __syncthreads();
        for (unsigned distance = 1; distance < 256; distance *= 2) {
            if (threadIdx.x >= distance) sum += sums[threadIdx.x - distance];
            __syncthreads();
            sums[threadIdx.x] = sum;
            __syncthreads();
        }
        if (i < n) out[i] = before + sum;
        before += sums[255];
        __syncthreads();
    }
}

struct Owner {
    ~Owner() { cudaFree(memory); }
    unsigned char* memory = nullptr;
};

/// One allocation holds both arrays, the sums first: they need the alignment.
cudaError_t scan_on_device(const unsigned char* in, unsigned* out, std::size_t n) {
    if (n == 0) return cudaSuccess;
    cudaGetLastError();
    const std::size_t bytes = n * sizeof(unsigned);
    Owner both;
    cudaError_t error;
    if ((error = cudaMalloc(&both.memory, bytes + n)) != cudaSuccess) return error;
    if ((error = cudaMemcpy(both.memory + bytes, in, n, cudaMemcpyHostToDevice)) != cudaSuccess) return error;
    scan_kernel<<<1, 256>>>(both.memory + bytes, reinterpret_cast<unsigned*>(both.memory), n);
    if ((error = cudaGetLastError()) != cudaSuccess) return error;
    return cudaMemcpy(out, both.memory, bytes, cudaMemcpyDeviceToHost);
}
