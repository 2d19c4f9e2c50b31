// Others count with atomicAdd() while one thread clears the counter with =.
#include <cstdio>

__global__ void count(unsigned* counter, unsigned* result) {
#ifdef BROKEN
    if (blockIdx.x == 3 && threadIdx.x == 0) *counter = 0;  // expect: race
#endif
    atomicAdd(counter, 1u);  // expect: race, other
    if (blockIdx.x == 0 && threadIdx.x == 0) *result = 1;
}

int main() {
    unsigned *memory, host[2] = {};
    cudaMalloc(&memory, sizeof host);
    cudaMemset(memory, 0, sizeof host);
    count<<<4, 32>>>(memory, memory + 1);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    std::printf("%u\n", host[0]);
    return host[0] == 128 && host[1] == 1 ? 0 : 1;
}
