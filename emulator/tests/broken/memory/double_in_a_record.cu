// Records of 12 bytes: every second one has its double at no multiple of 8.
#include "../arrays.h"

#ifdef BROKEN
constexpr int record = 12;
#else
constexpr int record = 16;
#endif

__global__ void fill(char* records) {
    char* mine = records + threadIdx.x * record;
    *reinterpret_cast<double*>(mine) = threadIdx.x / 2.0;  // expect: misaligned
    *reinterpret_cast<int*>(mine + 8) = threadIdx.x;
}

int main() {
    const int n = 16;
    char *records, host[16 * n] = {};
    cudaMalloc(&records, sizeof host);
    fill<<<1, n>>>(records);
    cudaMemcpy(host, records, n * record, cudaMemcpyDeviceToHost);
    cudaFree(records);
    const int last = *reinterpret_cast<int*>(host + (n - 1) * record + 8);
    return differs(last, n - 1);
}
