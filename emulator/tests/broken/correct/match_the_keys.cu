// Lanes with the same key find each other and talk inside of their group.
#include "../arrays.h"

__global__ void sums(const int* keys, int* y) {
    const int lane = threadIdx.x, key = keys[lane];
    const unsigned peers = __match_any_sync(0xffffffff, key);
    const int total = __reduce_add_sync(peers, lane);
    if (lane == __ffs(peers) - 1) y[key] = total;
}

int main() {
    Array<int> keys(32, [](int i) { return i % 5; });
    Array<int> y(5);
    sums<<<1, 32>>>(keys, y);
    return differs(y[4], 99 - 0);
}
