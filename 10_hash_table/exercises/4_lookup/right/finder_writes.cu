// The lane that has found the key writes the value; lane 0 writes that there is none. Warps take several keys.

#include "common/check.h"

__global__ void find_kernel(const int* begin, int buckets, const unsigned* keys, const unsigned* values,
                            const unsigned* wanted, int n, unsigned* found) {
    const int warps = gridDim.x * (blockDim.x / 32), lane = threadIdx.x & 31;
    for (int i = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; i < n; i += warps) {
        const unsigned key = wanted[i];
        const int end = begin[key % buckets + 1];
        bool any = false;
        for (int k = begin[key % buckets] + lane; !any; k += 32) {
            const bool hit = k < end && keys[k] == key;
            if (hit) found[i] = values[k];
            any = __any_sync(0xffffffff, hit || k - lane >= end);
            if (k - lane >= end && lane == 0) found[i] = 0;
        }
    }
}

void find_all(const int* begin, int buckets, const unsigned* keys, const unsigned* values, const unsigned* wanted,
              int n, unsigned* found) {
    find_kernel<<<6, 96>>>(begin, buckets, keys, values, wanted, n, found);
    CUDA_CHECK_LAUNCH();
}
