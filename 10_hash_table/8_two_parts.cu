// New here: a bucket is cut into two parts, by the first bit of the second hash. The pairs are partitioned by part, and
// a block puts a part together: half as many pairs, counters and lines for each block, and twice as many blocks.
// What it costs: with twice as many parts, a tile of the partition has half as many pairs for each of them.
// What remains: the stores of the pairs are not coalesced. Each goes to a sector of its own.

#include "lines.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 5632;  // of a part: each has a counter in shared memory, 22 KiB in all

/// The function x → max(b, x + a): if x pairs overflow into a line or a run of lines, so many overflow out of it.
struct Overflow {
    int a, b;
};

__device__ Overflow combine(Overflow earlier, Overflow later) {
    return {earlier.a + later.a, max(later.b, earlier.b + later.a)};
}

/// Brings a part's pairs to their slots: a block for each part. ends: where in `pairs` each part ends.
__global__ void __launch_bounds__(part_threads)
    put_together(const Pair* pairs, const unsigned* ends, const Part* parts, ByPart part_of, Pair* slots) {
    extern __shared__ unsigned next[];  // of each line, the slot of its next pair
    __shared__ unsigned extent;
    const Part part = parts[blockIdx.x];
    const unsigned t = threadIdx.x, threads = blockDim.x;
    pairs += ends[blockIdx.x] - part.n;
    slots += part.first;

    for (unsigned l = t; l < part.lines; l += threads) next[l] = 0;
    __syncthreads();
    for (unsigned i = t; i < part.n; i += threads) atomicAdd(&next[line_of(pairs[i].key, part_of, part.lines)], 1);
    __syncthreads();

    // A line's pairs begin where the line begins, or behind the pairs that overflow from earlier lines.
    const unsigned share = (part.lines + threads - 1) / threads;
    const unsigned from = min(t * share, part.lines), to = min(from + share, part.lines);
    Overflow overflow{0, 0};
    for (unsigned l = from; l < to; ++l)
        overflow = combine(overflow, {static_cast<int>(next[l]) - static_cast<int>(part.width), 0});
    const Overflow before = scan_before(overflow, Overflow{0, 0}, combine);
    if (t == threads - 1) extent = part.lines * part.width + combine(before, overflow).b;
    int over = before.b;
    for (unsigned l = from; l < to; ++l) {
        const unsigned begin = l * part.width + over, count = next[l];
        for (unsigned s = begin + count; s < (l + 1) * part.width; ++s) slots[s] = empty;
        over = max(0, over + static_cast<int>(count) - static_cast<int>(part.width));
        next[l] = begin;
    }
    __syncthreads();
    const unsigned end = (extent + sector - 1) / sector * sector + sector;
    for (unsigned s = extent + t; s < end; s += threads) slots[s] = empty;
    for (unsigned i = t; i < part.n; i += threads) {
        const Pair pair = pairs[i];
        slots[atomicAdd(&next[line_of(pair.key, part_of, part.lines)], 1)] = pair;
    }
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
