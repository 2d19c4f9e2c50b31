// In a stream of its own, with arrays from cudaMalloc(): unique_by_key keeps the first index of each run, and what is
// too short is removed from copies of begins and lengths.

#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/unique.h>

#include "common/check.h"

struct Length {
    const int* begins;
    int runs, n;
    __host__ __device__ int operator()(int run) const { return (run + 1 < runs ? begins[run + 1] : n) - begins[run]; }
};

struct AtLeast {
    int shortest;
    __host__ __device__ bool operator()(int length) const { return length >= shortest; }
};

int find_stuck(const int* readings, int n, int shortest, int* begins, int* lengths) {
    if (n == 0) return 0;
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int* all_begins;
    CUDA_CHECK(cudaMalloc(&all_begins, n * sizeof(int)));
    const auto policy = thrust::cuda::par.on(stream);

    const thrust::counting_iterator<int> numbers(0);
    const auto ends = thrust::unique_by_key_copy(policy, readings, readings + n, numbers,
                                                 thrust::make_discard_iterator(), all_begins);
    const int runs = static_cast<int>(ends.second - all_begins);
    const auto all_lengths = thrust::make_transform_iterator(numbers, Length{all_begins, runs, n});
    thrust::copy_if(policy, all_begins, all_begins + runs, all_lengths, begins, AtLeast{shortest});
    const auto end = thrust::copy_if(policy, all_lengths, all_lengths + runs, lengths, AtLeast{shortest});

    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaFree(all_begins));
    CUDA_CHECK(cudaStreamDestroy(stream));
    return static_cast<int>(end - lengths);
}
