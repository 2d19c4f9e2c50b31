// memcpy(), memset() and the assignment of structures write memory, too.
#include <cstring>

#include "../arrays.h"

struct Big {
    int values[40];
};

__global__ void copy(const Big* from, Big* to, unsigned* sum) {
    __shared__ Big tile[8];
    __shared__ unsigned char flags[64];
    const int t = threadIdx.x;
    if (t == 8) memset(flags, 1, sizeof flags);
    if (t < 8) tile[t] = from[t];
    __syncthreads();
    if (t < 8) {
        Big mine;
        memcpy(&mine, &tile[7 - t], sizeof mine);
        mine.values[0] += flags[8 * t];
        to[t] = mine;
        unsigned word;
        memcpy(&word, &flags[4 * t], sizeof word);
        sum[t] = word;
    }
}

int main() {
    Big *from, *to, host[8];
    unsigned *sum, word = 0;
    for (int i = 0; i < 8; ++i)
        for (int& value : host[i].values) value = i;
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMalloc(&sum, 8 * sizeof word);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    copy<<<1, 32>>>(from, to, sum);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&word, sum + 7, sizeof word, cudaMemcpyDeviceToHost);
    return differs(host[0].values[0], 8) || differs(host[0].values[39], 7) || differs(word, 0x01010101);
}
