// Each thread writes its vertex's distance, old or new: nothing is copied.

#include "common/check.h"

__device__ bool has_neighbour_at(int level, const int* begin, const int* end, const int* distances) {
    while (begin != end && distances[*begin] != level) ++begin;
    return begin != end;
}

__global__ void look_up(const int* row_starts, const int* columns, int vertices, int level, const int* before,
                        int* after) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    const int old = before[v];
    if (old == -1 && has_neighbour_at(level, columns + row_starts[v], columns + row_starts[v + 1], before))
        after[v] = level + 1;
    else
        after[v] = old;
}

void next_level(const int* row_starts, const int* columns, int vertices, int level, const int* before, int* after) {
    if (vertices == 0) return;
    look_up<<<(vertices + 127) / 128, 128>>>(row_starts, columns, vertices, level, before, after);
    CUDA_CHECK_LAUNCH();
}
