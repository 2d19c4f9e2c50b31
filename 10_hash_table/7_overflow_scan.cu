// New here: all threads compute the overflow, each for a few lines. If x pairs overflow into a line, max(b, x + a)
// pairs overflow out of it. Two such functions, one after the other, are a function of this form again, so that a scan
// over the threads can combine them as it adds sums.
// What remains: a block works on a whole bucket, which mostly does not fit into shared memory.

#include "put_together.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 11'264;  // of a bucket: each has a counter in shared memory, 44 KiB in all

__global__ void __launch_bounds__(part_threads)
    put_together(const Pair* pairs, const unsigned* ends, const Part* parts, ByBucket part_of, Pair* slots) {
    put_together_in_place(pairs, ends, parts, part_of, slots);
}

void launch(const Pair* pairs, const unsigned* ends, const Part* parts, unsigned parts_count, ByBucket part_of,
            Pair* slots) {
    constexpr std::size_t shared = most_lines * sizeof(unsigned);
    put_together<<<parts_count, part_threads, shared>>>(pairs, ends, parts, part_of, slots);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

std::unique_ptr<Table> overflow_scan(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Lines<ByBucket, most_lines>>("7_overflow_scan", buckets, capacity,
                                                         ByBucket{static_cast<unsigned>(buckets)}, launch);
}

STAGES(Stage{"a scan says which lines flow over, not one thread", overflow_scan});

}  // namespace hash_table
