// One level of a breadth-first search.

#include "common/check.h"

__global__ void next_level_kernel(const int* row_starts, const int* columns, int vertices, int level, const int* before,
                                  int* after) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    // BEGIN SOLUTION
    int distance = before[v];
    for (int e = row_starts[v]; distance == -1 && e < row_starts[v + 1]; ++e)
        if (before[columns[e]] == level) distance = level + 1;
    after[v] = distance;
    // STUB
    // if (before[v] != level) return;
    // for (int e = row_starts[v]; e < row_starts[v + 1]; ++e)
    //     if (before[columns[e]] == -1) atomicMax(&after[columns[e]], level + 1);
    // END SOLUTION
}

/// The graph: the neighbours of vertex v are columns[row_starts[v]] to columns[row_starts[v + 1] - 1], and v is a
/// neighbour of each of them. before: the distance of each vertex up to this level, and -1 for the others. after: the
/// same up to the next level. All arrays are in device memory; `vertices` may be 0.
void next_level(const int* row_starts, const int* columns, int vertices, int level, const int* before, int* after) {
    if (vertices == 0) return;
    CUDA_CHECK(cudaMemcpy(after, before, vertices * sizeof(int), cudaMemcpyDeviceToDevice));
    next_level_kernel<<<(vertices + 255) / 256, 256>>>(row_starts, columns, vertices, level, before, after);
    CUDA_CHECK_LAUNCH();
}
