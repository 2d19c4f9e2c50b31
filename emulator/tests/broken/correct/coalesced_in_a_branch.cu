// The lanes that are in a branch form a group, and one of them counts for all.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void filter(const int* x, int* y, int* count) {
    const int value = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (value % 3 != 0) return;
    const cg::coalesced_group active = cg::coalesced_threads();
    int place = 0;
    if (active.thread_rank() == 0) place = atomicAdd(count, static_cast<int>(active.size()));
    place = active.shfl(place, 0) + active.thread_rank();
    y[place] = value;
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    Array<int> count(1, 0);
    filter<<<2, 64>>>(x, y, count);
    const int kept = count[0];
    int sum = 0;
    for (int i = 0; i < kept; ++i) sum += y[i];
    return differs(kept, 43) || differs(sum, 2709);
}
