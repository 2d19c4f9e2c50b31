// Keys are put into a table by atomicCAS(); who has got a place stores its value there. The next launch looks them up.
#include <cstdio>

__global__ void insert(unsigned* keys, int* values, unsigned size) {
    const unsigned key = 7 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
    unsigned slot = key * 2654435761u % size;
    while (atomicCAS(&keys[slot], 0u, key) != 0) slot = (slot + 1) % size;
    values[slot] = 3 * static_cast<int>(key);
}

__global__ void find(const unsigned* keys, const int* values, unsigned size, int* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = 7 * i + 1;
    unsigned slot = key * 2654435761u % size;
    while (keys[slot] != key) slot = (slot + 1) % size;
    y[i] = values[slot];
}

int main() {
    const unsigned n = 128, size = 200;
    unsigned* keys;
    int *values, *y, host[n];
    cudaMalloc(&keys, size * sizeof(unsigned));
    cudaMalloc(&values, size * sizeof(int));
    cudaMalloc(&y, sizeof host);
    cudaMemset(keys, 0, size * sizeof(unsigned));
    insert<<<4, 32>>>(keys, values, size);
    find<<<4, 32>>>(keys, values, size, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 2670 ? 0 : 1;
}
