// New here: a bucket is cut into two parts, by the first bit of the second hash. The pairs are partitioned by part, and
// a block puts a part together: half as many pairs, counters and lines for each block, and twice as many blocks.
// What it costs: with twice as many parts, a tile of the partition has half as many pairs for each of them.
// What remains: the stores of the pairs are not coalesced. Each goes to a sector of its own.

#include "put_together.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 5632;  // of a part: each has a counter in shared memory, 22 KiB in all

__global__ void __launch_bounds__(part_threads)
    put_together(const Pair* pairs, const unsigned* ends, const Part* parts, ByPart part_of, Pair* slots) {
    put_together_in_place(pairs, ends, parts, part_of, slots);
}

void launch(const Pair* pairs, const unsigned* ends, const Part* parts, unsigned parts_count, ByPart part_of,
            Pair* slots) {
    constexpr std::size_t shared = most_lines * sizeof(unsigned);
    put_together<<<parts_count, part_threads, shared>>>(pairs, ends, parts, part_of, slots);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

std::unique_ptr<Table> two_parts(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Lines<ByPart, most_lines>>("8_two_parts", buckets, capacity, by_part(buckets), launch);
}

STAGES(Stage{"two blocks per bucket, with half of it each", two_parts});

}  // namespace hash_table
