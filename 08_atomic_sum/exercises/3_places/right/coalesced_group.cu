// Only those lanes go on that keep something; the first of them asks for all.

#include <cooperative_groups.h>

#include "common/check.h"

namespace cg = cooperative_groups;

__global__ void keep_kernel(const float* values, int n, float* kept, int* count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (values[i] > 0) {
            const auto keepers = cg::coalesced_threads();
            int first = 0;
            if (keepers.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(keepers.size()));
            kept[keepers.shfl(first, 0) + keepers.thread_rank()] = values[i];
        }
}

void keep_positive(const float* values, int n, float* kept, int* count) {
    CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));
    keep_kernel<<<33, 160>>>(values, n, kept, count);
    CUDA_CHECK_LAUNCH();
}
