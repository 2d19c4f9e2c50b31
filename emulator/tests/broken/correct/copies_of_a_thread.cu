// Each thread uses only what it has copied itself: its own wait is enough, without any barrier. It fetches one tile
// more than it uses, which is on its way when the kernel ends.
#include "../arrays.h"

__global__ void twice(const int* x, int* y, int tiles) {
    __shared__ int buffer[2][64];
    const int t = threadIdx.x;
    const auto fetch = [&](int i) {
        const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&buffer[i % 2][t]));
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(x + 64 * (i % tiles) + t));
        asm volatile("cp.async.commit_group;");
    };
    fetch(0);
    for (int i = 0; i < tiles; ++i) {
        fetch(i + 1);
        asm volatile("cp.async.wait_group 1;");
        y[64 * i + t] = 2 * buffer[i % 2][t];
        buffer[i % 2][t] = 0;
    }
}

int main() {
    Array<int> x(64 * 5, [](int i) { return i; });
    Array<int> y(64 * 5);
    twice<<<1, 64>>>(x, y, 5);
    return differs(y[319], 638);
}
