// Keys are put into a table by atomicCAS(); who has got a place stores its value there. The next launch looks them up.
#include "../arrays.h"

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
    Array<unsigned> keys(size, 0);
    Array<int> values(size);
    Array<int> y(n);
    insert<<<4, 32>>>(keys, values, size);
    find<<<4, 32>>>(keys, values, size, y);
    return differs(y[n - 1], 2670);
}
