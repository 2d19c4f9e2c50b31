// __device__ variables begin with their initialisers, or with zeros, and keep their values from launch to launch.
#include "../arrays.h"

__device__ int launches, table[16], start = 5;
__device__ float half[2] = {0.5f};
__managed__ int shown;

__global__ void count() {
    const int t = threadIdx.x;
    table[t] += start + t;
    if (t == 0) {
        ++launches;
        half[1] += half[0];
        shown = launches + table[15 - 15];
    }
}

int main() {
    for (int i = 0; i < 3; ++i) count<<<1, 16>>>();
    cudaDeviceSynchronize();
    int host[16] = {};
    float halves[2] = {};
    cudaMemcpyFromSymbol(host, table, sizeof host);
    cudaMemcpyFromSymbol(halves, half, sizeof halves);
    return differs(host[15], 60) || differs(halves[1], 1.5f) || differs(shown, 18);
}
