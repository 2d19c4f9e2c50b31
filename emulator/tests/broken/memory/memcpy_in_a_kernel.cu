// memcpy() in a kernel copies a record of 24 bytes to a place for 20.
#include <cstring>

#include "../arrays.h"

struct Record {
    int key, values[5];
};

__global__ void pack(const Record* records, char* bytes) {
#ifdef BROKEN
    const int distance = 20;
#else
    const int distance = 24;
#endif
    const int t = threadIdx.x;
    memcpy(bytes + distance * t, &records[t], sizeof(Record));  // expect: out-of-bounds
}

int main() {
#ifdef BROKEN
    const int n = 1;
#else
    const int n = 8;
#endif
    Record *records, host[8];
    char* bytes;
    for (int i = 0; i < 8; ++i) host[i] = {i, {1, 2, 3, 4, 5 * i}};
    cudaMalloc(&records, sizeof host);
    cudaMalloc(&bytes, n == 1 ? 20 : sizeof host);
    cudaMemcpy(records, host, sizeof host, cudaMemcpyHostToDevice);
    pack<<<1, n>>>(records, bytes);
    int last = 0;
    cudaMemcpy(&last, bytes + (n - 1) * 24, 4, cudaMemcpyDeviceToHost);
    cudaFree(records);
    cudaFree(bytes);
    return differs(last, n - 1);
}
