// Four stages: the wait comes first, then the barrier, and what follows it overwrites the tile that all have used. At
// the end the wait is for all that is left.
#include "../arrays.h"

constexpr int tile = 64, stages = 4;

__global__ void sums(const int* x, int* y, int tiles) {
    extern __shared__ int buffer[];
    const int t = threadIdx.x;
    const auto fetch = [&](int i) {
        const auto address = static_cast<unsigned>(__cvta_generic_to_shared(buffer + i % stages * tile + t));
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(x + tile * i + t));
        asm volatile("cp.async.commit_group;");
    };
    for (int i = 0; i < stages - 1 && i < tiles; ++i) fetch(i);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (i + stages - 2 < tiles)
            asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2));
        else
            asm volatile("cp.async.wait_all;");
        __syncthreads();
        if (i + stages - 1 < tiles) fetch(i + stages - 1);
        sum += buffer[i % stages * tile + tile - 1 - t];
    }
    y[t] = sum;
}

int main() {
    const int tiles = 9;
    Array<int> x(tiles * tile, [](int i) { return i; });
    Array<int> y(tile);
    for (const int n : {1, 2, 3, 4, tiles}) sums<<<1, tile, stages * tile * sizeof(int)>>>(x, y, n);
    return differs(y[0], tiles * 63 + 36 * 64);
}
