// Rows of blocks that wait for the row above, a cell at a time: volatile progress counters with fences.
#include "../arrays.h"

__global__ void paths(int* table, int n, volatile int* progress) {
    const int row = blockIdx.x;
    for (int column = 0; column < n; ++column) {
        if (row > 0) {
            while (progress[row - 1] <= column) continue;
            __threadfence();
        }
        const int above = row > 0 ? table[(row - 1) * n + column] : 1;
        const int left = column > 0 ? table[row * n + column - 1] : 1;
        table[row * n + column] = row == 0 || column == 0 ? 1 : above + left;
        __threadfence();
        progress[row] = column + 1;
    }
}

int main() {
    const int n = 8;
    Array<int> table(n * n);
    Array<int> progress(n, 0);
    paths<<<n, 1>>>(table, n, progress);
    return differs(table[n * n - 1], 3432);
}
