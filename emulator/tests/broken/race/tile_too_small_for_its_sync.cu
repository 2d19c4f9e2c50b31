// A group of 16 is synchronised where 32 lanes exchange values.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

#ifdef BROKEN
constexpr int lanes = 16;
#else
constexpr int lanes = 32;
#endif

__global__ void reverse(int* x) {
    __shared__ int cache[32];
    const auto tile = cg::tiled_partition<lanes>(cg::this_thread_block());
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: race
    tile.sync();
    x[t] = cache[31 - t];  // expect: race, other
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    reverse<<<1, 32>>>(x);
    return differs(x[0], 31);
}
