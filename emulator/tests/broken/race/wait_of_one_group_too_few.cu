// Two tiles take turns, and the next one is on its way while this one is summed up. Only the first is waited for: in
// the loop the wait lets two groups go on, where one is ahead.
#include "../arrays.h"

constexpr int tile = 64;

template <int groups>
__device__ void wait_for_all_but() {
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

__global__ void sums(const int* x, int* y, int tiles) {
    __shared__ int buffer[2][tile];
    const int t = threadIdx.x;
    const auto fetch = [&](int i) {
        const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&buffer[i % 2][t]));
        const int* from = x + tile * i + t;
        if (i < tiles)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from));  // may: copy-in-flight
        asm volatile("cp.async.commit_group;");
    };
    buffer[0][t] = buffer[1][t] = 0;
    __syncthreads();
    fetch(0);
    wait_for_all_but<0>();
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        fetch(i + 1);
#ifdef BROKEN
        asm volatile("cp.async.wait_group 2;");  // may: copy-in-flight
#else
        asm volatile("cp.async.wait_group 1;");
#endif
        __syncthreads();
        sum += buffer[i % 2][tile - 1 - t];  // expect: copy-in-flight
        __syncthreads();
    }
    y[t] = sum;
}

int main() {
    const int tiles = 5;
    Array<int> x(tiles * tile, [](int i) { return i; });
    Array<int> y(tile);
    sums<<<1, tile>>>(x, y, tiles);
    return differs(y[0], 5 * 63 + 10 * 64);
}
