// Prepares the entry first, and tries until nobody has come in between: the list is whole at any moment.

#include "common/check.h"

__global__ void push_all(const unsigned* keys, int n, int buckets, int* heads, int* next) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int* head = heads + keys[i] % buckets;
        int seen = *head, assumed;
        do {
            assumed = seen;
            next[i] = assumed;
            __threadfence();
            seen = atomicCAS(head, assumed, i);
        } while (seen != assumed);
    }
}

__global__ void clear(int* heads, int buckets) {
    for (int b = threadIdx.x; b < buckets; b += blockDim.x) heads[b] = -1;
}

void build_lists(const unsigned* keys, int n, int buckets, int* heads, int* next) {
    clear<<<1, 64>>>(heads, buckets);
    push_all<<<5, 96>>>(keys, n, buckets, heads, next);
    CUDA_CHECK_LAUNCH();
}
