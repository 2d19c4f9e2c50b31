// As in the lesson: a thread finds where the merge stands after its first numbers, and merges four from there.

#include "common/check.h"

__global__ void merge_kernel(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first >= a_size + b_size) return;
    int low = max(0, first - b_size), high = min(first, a_size);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (b[first - 1 - middle] < a[middle])
            high = middle;
        else
            low = middle + 1;
    }
    int i = low, j = first - low;
    for (int k = first; k < min(first + 4, a_size + b_size); ++k)
        out[k] = j >= b_size || (i < a_size && a[i] <= b[j]) ? a[i++] : b[j++];
}

void merge_sorted(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out) {
    merge_kernel<<<(a_size + b_size) / 256 + 1, 64>>>(a, a_size, b, b_size, out);
    CUDA_CHECK_LAUNCH();
}
