// A scan of the heads numbers the runs. The readings need not stand in order for what follows: lengths are sums by that
// number, begins are its lower bounds, and short runs are removed from both.

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

int find_stuck(const int* readings, int n, int shortest, int* begins, int* lengths) {
    if (n == 0) return 0;
    thrust::device_vector<int> numbers(n, 0);
    thrust::transform(thrust::device, readings + 1, readings + n, readings, numbers.begin() + 1,
                      thrust::not_equal_to<int>());
    thrust::inclusive_scan(numbers.begin(), numbers.end(), numbers.begin());
    const int runs = numbers.back() + 1;

    thrust::device_vector<int> first(runs), behind(runs);
    const thrust::counting_iterator<int> run(0);
    thrust::lower_bound(numbers.begin(), numbers.end(), run, run + runs, first.begin());
    thrust::upper_bound(numbers.begin(), numbers.end(), run, run + runs, behind.begin());
    thrust::transform(behind.begin(), behind.end(), first.begin(), behind.begin(), thrust::minus<int>());

    const auto is_short = [shortest] __host__ __device__(int length) { return length < shortest; };
    const auto end = thrust::remove_if(first.begin(), first.end(), behind.begin(), is_short);
    thrust::copy(first.begin(), end, thrust::device_pointer_cast(begins));
    const auto end_of_lengths = thrust::remove_if(behind.begin(), behind.end(), is_short);
    thrust::copy(behind.begin(), end_of_lengths, thrust::device_pointer_cast(lengths));
    return static_cast<int>(end - first.begin());
}
