#include "checker.h"

#include <algorithm>

using namespace exercise;

void build_lists(const unsigned* keys, int n, int buckets, int* heads, int* next);

namespace {

// Walks along all lists. In the bucket of which list was each entry found, and how often?
struct Walk {
    std::vector<int> times, bucket;

    Walk(const std::vector<int>& heads, const std::vector<int>& next) : times(next.size()), bucket(next.size(), -1) {
        const int n = static_cast<int>(next.size());
        for (std::size_t b = 0; b < heads.size(); ++b) {
            int entry = heads[b];
            for (; entry >= 0 && entry < n; entry = next[static_cast<std::size_t>(entry)]) {
                const auto at = static_cast<std::size_t>(entry);
                bucket[at] = static_cast<int>(b);
                if (++times[at] == 2) break;  // a list that runs into itself, or into another one
            }
            if (entry < 0 || entry >= n) require_same("end of a list", std::vector{entry}, {-1});
        }
    }
};

void build_and_compare(const std::vector<unsigned>& numbers, int buckets) {
    Input<unsigned> keys("keys", numbers);
    Output<int> heads("heads", static_cast<std::size_t>(buckets));
    Output<int> next("next", numbers.size());
    // What nobody has written is no end of a list.
    const std::vector<int> unwritten(numbers.size() + static_cast<std::size_t>(buckets), -2);
    CUDA_CHECK(cudaMemcpy(next.data(), unwritten.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(heads.data(), unwritten.data(), buckets * sizeof(int), cudaMemcpyHostToDevice));

    build_lists(keys.data(), static_cast<int>(numbers.size()), buckets, heads.data(), next.data());
    finish();

    const Walk walk(heads.values(), next.values());
    require_same("times in a list, of entry ", walk.times, std::vector<int>(numbers.size(), 1));
    std::vector<int> expected(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        expected[i] = static_cast<int>(numbers[i] % static_cast<unsigned>(buckets));
    require_same("bucket of entry ", walk.bucket, expected);
    keys.require_unchanged();
}

std::vector<unsigned> random_keys(int n) {
    return random_values<unsigned>(static_cast<std::size_t>(n));
}

}  // namespace

void check() {
    interleave_atomics();
    std::vector<int> sizes{0, 1, 2, 31, 32, 33, 255, 256, 257, 1009};
    for_sizes(
        sizes, [](int n) { build_and_compare(random_keys(n), 1); }, "1 bucket");
    sizes.push_back(2053);  // more than are counted
    for_sizes(
        sizes, [](int n) { build_and_compare(random_keys(n), 61); }, "61 buckets");
}

void counted() {
    build_and_compare(random_keys(2048), 64);
}
