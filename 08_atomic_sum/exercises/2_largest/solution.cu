// The largest of n floats, and where it stands.

#include "common/check.h"

// BEGIN SOLUTION
/// A value and its index in one word of 64 bits.
__device__ unsigned long long together(float value, unsigned index) {
    return static_cast<unsigned long long>(__float_as_uint(value)) << 32 | index;
}

__device__ bool is_better(float value, unsigned index, unsigned long long than) {
    const float other = __uint_as_float(static_cast<unsigned>(than >> 32));
    return value > other || (value == other && index < static_cast<unsigned>(than));
}

__device__ void offer(unsigned long long* best, float value, unsigned index) {
    unsigned long long seen = *best;
    while (is_better(value, index, seen)) {
        const unsigned long long found = atomicCAS(best, seen, together(value, index));
        if (found == seen) return;
        seen = found;
    }
}
// STUB
// /// The maximum of floats, as in the lesson. Returns what was there before.
// __device__ float atomic_max(float* address, float value) {
//     unsigned* word = reinterpret_cast<unsigned*>(address);
//     unsigned seen = *word;
//     while (__uint_as_float(seen) < value) {
//         const unsigned found = atomicCAS(word, seen, __float_as_uint(value));
//         if (found == seen) break;
//         seen = found;
//     }
//     return __uint_as_float(seen);
// }
//
// __device__ void offer(unsigned long long* best, float value, unsigned index) {
//     float* best_value = reinterpret_cast<float*>(best) + 1;    // the upper half
//     unsigned* best_index = reinterpret_cast<unsigned*>(best);  // the lower half
//     const float before = atomic_max(best_value, value);
//     if (before < value) atomicExch(best_index, index);
// }
// END SOLUTION

__global__ void offer_all(const float* values, int n, unsigned long long* best) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) offer(best, values[i], i);
}

/// values: n floats in device memory, no NaN among them; n may be 0. best: one word in device memory, which is set: the
/// bits of the largest value above, its index below. If there are no values: -infinity and 0xffffffff.
void find_largest(const float* values, int n, unsigned long long* best) {
    const unsigned long long nothing = 0xff80'0000'ffff'ffff;  // -infinity, and an index larger than all
    CUDA_CHECK(cudaMemcpy(best, &nothing, sizeof(unsigned long long), cudaMemcpyHostToDevice));
    if (n == 0) return;
    offer_all<<<(n + 255) / 256, 256>>>(values, n, best);
    CUDA_CHECK_LAUNCH();
}
