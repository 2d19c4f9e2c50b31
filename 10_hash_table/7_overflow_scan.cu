// New here: all threads compute the overflow, each for a few lines. If x pairs overflow into a line, max(b, x + a)
// pairs overflow out of it. Two such functions, one after the other, are a function of this form again, so that a scan
// over the threads can combine them as it adds sums.
// What remains: a block works on a whole bucket, which mostly does not fit into shared memory.

#include "lines.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 11'264;  // of a bucket: each has a counter in shared memory, 44 KiB in all

/// The function x → max(b, x + a): if x pairs overflow into a line or a run of lines, so many overflow out of it.
struct Overflow {
    int a, b;
};

__device__ Overflow combine(Overflow earlier, Overflow later) {
    return {earlier.a + later.a, max(later.b, earlier.b + later.a)};
}

/// Brings a bucket's pairs to their slots: a block for each bucket. ends: where in `pairs` each bucket ends.
__global__ void __launch_bounds__(part_threads)
    put_together(const Pair* pairs, const unsigned* ends, const Part* parts, ByBucket part_of, Pair* slots) {
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
