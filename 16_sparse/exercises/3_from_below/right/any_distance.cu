// Every neighbour with a distance is at this level: one that is nearer to the source would have been followed before.

#include "common/check.h"

__global__ void look_up(const int* row_starts, const int* columns, int vertices, int level, const int* before,
                        int* after) {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices; v += gridDim.x * blockDim.x) {
        if (before[v] != -1) continue;
        const int end = row_starts[v + 1];
        for (int e = row_starts[v]; e < end; ++e)
            if (before[columns[e]] != -1) {
                after[v] = level + 1;
                break;
            }
    }
}

void next_level(const int* row_starts, const int* columns, int vertices, int level, const int* before, int* after) {
    if (vertices == 0) return;
    CUDA_CHECK(cudaMemcpy(after, before, vertices * sizeof(int), cudaMemcpyDeviceToDevice));
    look_up<<<32, 256>>>(row_starts, columns, vertices, level, before, after);
    CUDA_CHECK_LAUNCH();
}
