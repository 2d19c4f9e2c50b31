// A block without work returns before the grid's barrier, and the others wait for it.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void reverse(int* x, int* y, int n) {
    const cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
#ifdef BROKEN
    if (i >= n) return;
#endif
    if (i < n) x[i] = i;
    // says: 128 threads, first
    // says: , wait in this_grid().sync() at
    // says: often a block without work returns before it.
    grid.sync();  // expect: deadlock
    if (i < n) y[i] = x[n - 1 - i];
}

int main() {
    Array<int> x(128), y(128);
    int *px = x, *py = y, n = 128;
    void* arguments[] = {&px, &py, &n};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(reverse), 3, 64, arguments, 0, nullptr));
    return differs(y[0], 127);
}
