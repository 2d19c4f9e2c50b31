// A histogram with atomics in global memory, of whose 256 counters only the first is cleared.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH (100 * 1024)

inline void check(cudaError_t error, const char* file, int line) {
    if (error != cudaSuccess) printf("%s:%d: %s\n", file, line, cudaGetErrorString(error));
}
#define CHECK(call) check(call, __FILE__, __LINE__)

__global__ void count(unsigned char* bytes, long length, unsigned int* counters) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < length) {
        atomicAdd(&counters[bytes[i]], 1);  // expect: uninitialised
        i += stride;
    }
}

int main() {
    unsigned char* bytes = new unsigned char[LENGTH];
    for (int i = 0; i < LENGTH; ++i) bytes[i] = rand();
    unsigned char* dev_bytes;
    unsigned int* dev_counters;
    CHECK(cudaMalloc((void**)&dev_counters, 256 * sizeof(unsigned int)));
    CHECK(cudaMemset(dev_counters, 0, sizeof(int)));
    CHECK(cudaMalloc((void**)&dev_bytes, LENGTH));
    CHECK(cudaMemcpy(dev_bytes, bytes, LENGTH, cudaMemcpyHostToDevice));
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    count<<<prop.multiProcessorCount, 256>>>(dev_bytes, LENGTH, dev_counters);
    unsigned int counters[256];
    CHECK(cudaMemcpy(counters, dev_counters, sizeof(counters), cudaMemcpyDeviceToHost));
    for (int i = 0; i < LENGTH; ++i) counters[bytes[i]]--;
    int wrong = 0;
    for (int i = 0; i < 256; ++i) wrong += counters[i] != 0;
    printf("%d counters are wrong\n", wrong);
    CHECK(cudaFree(dev_counters));
    CHECK(cudaFree(dev_bytes));
    delete[] bytes;
    return 0;
}
