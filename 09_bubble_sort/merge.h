#pragma once

// Merging two sorted runs with many threads, and sorting a block's window by such merges.

#include "keys.h"

namespace bubble_sort {

/// How many of the first `count` keys of two merged runs come from a. Found by bisection, so that each thread can merge
/// its own part of the result (O. Green, R. McColl, D. A. Bader, GPU Merge Path, 2012).
template <class Keys, class Index>
__device__ Index merge_path(Keys a, Index a_size, Keys b, Index b_size, Index count) {
    Index low = count > b_size ? count - b_size : 0;
    Index high = count < a_size ? count : a_size;
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (b[count - 1 - middle] < a[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// keys[r] becomes key number skip + r of the two merged runs, or last_key beyond their end.
template <unsigned per_thread>
__device__ void merge(const Key* a, unsigned a_size, const Key* b, unsigned b_size, unsigned skip,
                      Key (&keys)[per_thread]) {
    unsigned i = merge_path(a, a_size, b, b_size, skip), j = skip - i;
    Key next_a = i < a_size ? a[i] : last_key;
    Key next_b = j < b_size ? b[j] : last_key;
#pragma unroll
    for (unsigned r = 0; r < per_thread; ++r) {
        if (next_a <= next_b) {
            keys[r] = next_a;
            next_a = ++i < a_size ? a[i] : last_key;
        } else {
            keys[r] = next_b;
            next_b = ++j < b_size ? b[j] : last_key;
        }
    }
}

/// The block loads `size` values as keys, and fills the rest of the window with last_key. Ends with a barrier.
template <class T>
__device__ void load(const T* values, unsigned size, Key* window, unsigned window_size) {
    for (unsigned i = threadIdx.x; i < window_size; i += blockDim.x)
        window[i] = i < size ? key_of(values[i]) : last_key;
    __syncthreads();
}

/// Stores the threads' keys as values. They go through shared memory, so that the stores are coalesced.
template <unsigned per_thread, class T>
__device__ void store(const Key (&keys)[per_thread], Key* window, T* values, unsigned size) {
    __syncthreads();  // all threads have read what they need
#pragma unroll
    for (unsigned r = 0; r < per_thread; ++r) window[threadIdx.x * per_thread + r] = keys[r];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < size; i += blockDim.x) values[i] = value_of<T>(window[i]);
}

/// Sorts a window of which each thread holds per_thread keys. Each thread sorts its own by odd-even transposition; then
/// runs are merged to runs of double length until there is one. Keys from `size` on are last_key.
template <unsigned per_thread>
__device__ void sort(Key (&keys)[per_thread], Key* window, unsigned size) {
#pragma unroll
    for (unsigned phase = 0; phase < per_thread; ++phase) {
#pragma unroll
        for (unsigned r = phase % 2; r + 1 < per_thread; r += 2) {
            const Key smaller = min(keys[r], keys[r + 1]);
            keys[r + 1] = max(keys[r], keys[r + 1]);
            keys[r] = smaller;
        }
    }

    const unsigned first = threadIdx.x * per_thread;
    for (unsigned run = per_thread; run < size; run *= 2) {
        __syncthreads();
#pragma unroll
        for (unsigned r = 0; r < per_thread; ++r) window[first + r] = keys[r];
        __syncthreads();
        const unsigned begin = first / (2 * run) * (2 * run);
        merge(window + begin, run, window + begin + run, run, first - begin, keys);
    }
}

}  // namespace bubble_sort
