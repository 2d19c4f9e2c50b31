// Where a run begins is found first: a reading that is not that before it. A run ends where the next one begins.

#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

struct IsHead {
    const int* readings;
    __host__ __device__ bool operator()(int i) const { return i == 0 || readings[i] != readings[i - 1]; }
};

struct IsLong {
    int shortest;
    __host__ __device__ bool operator()(int length) const { return length >= shortest; }
};

int find_stuck(const int* readings, int n, int shortest, int* begins, int* lengths) {
    if (n == 0) return 0;
    const thrust::counting_iterator<int> indices(0);
    thrust::device_vector<int> heads(n + 1);
    const auto last = thrust::copy_if(indices, indices + n, heads.begin(), IsHead{readings});
    *last = n;

    thrust::device_vector<int> long_ones(last - heads.begin());
    thrust::transform(heads.begin() + 1, last + 1, heads.begin(), long_ones.begin(), thrust::minus<int>());
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(heads.begin(), long_ones.begin()));
    const auto out = thrust::make_zip_iterator(
        thrust::make_tuple(thrust::device_pointer_cast(begins), thrust::device_pointer_cast(lengths)));
    const auto end = thrust::copy_if(pairs, pairs + long_ones.size(), long_ones.begin(), out, IsLong{shortest});
    return static_cast<int>(end - out);
}
