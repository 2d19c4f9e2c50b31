// Where a sensor was stuck: long runs of equal readings.

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <vector>

#include "common/check.h"

/// readings: n values in device memory; n may be 0. A run is a longest stretch of equal readings. begins, lengths: the
/// first index and the number of readings of each run of at least `shortest` (>= 1), in the order of the readings. Both
/// are in device memory with room for n / shortest numbers, and nothing is written behind the last run. Returns how
/// many runs these are.
int find_stuck(const int* readings, int n, int shortest, int* begins, int* lengths) {
    // BEGIN SOLUTION
    using namespace thrust::placeholders;
    thrust::device_vector<int> run_lengths(n), run_begins(n);
    const auto ends = thrust::reduce_by_key(thrust::device, readings, readings + n, thrust::constant_iterator<int>(1),
                                            thrust::make_discard_iterator(), run_lengths.begin());
    thrust::exclusive_scan(run_lengths.begin(), ends.second, run_begins.begin());

    const auto runs = thrust::make_zip_iterator(run_begins.begin(), run_lengths.begin());
    const auto number = ends.second - run_lengths.begin();
    const auto stuck = thrust::make_zip_iterator(begins, lengths);
    const auto end = thrust::copy_if(thrust::device, runs, runs + number, run_lengths.begin(), stuck, _1 >= shortest);
    return static_cast<int>(end - stuck);
    // STUB
    // std::vector<int> values(n), found_begins, found_lengths;
    // CUDA_CHECK(cudaMemcpy(values.data(), readings, n * sizeof(int), cudaMemcpyDeviceToHost));
    // for (int begin = 0, end = 0; begin < n; begin = end) {
    //     while (end < n && values[end] == values[begin]) ++end;
    //     if (end - begin < shortest) continue;
    //     found_begins.push_back(begin);
    //     found_lengths.push_back(end - begin);
    // }
    // const std::size_t bytes = found_begins.size() * sizeof(int);
    // CUDA_CHECK(cudaMemcpy(begins, found_begins.data(), bytes, cudaMemcpyHostToDevice));
    // CUDA_CHECK(cudaMemcpy(lengths, found_lengths.data(), bytes, cudaMemcpyHostToDevice));
    // return static_cast<int>(found_begins.size());
    // END SOLUTION
}
