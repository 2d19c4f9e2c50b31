// New here: inside its bucket, a pair's place depends on a second hash. A bucket is cut into lines of four pairs, which
// are one sector of 32 bytes: a find mostly reads one line and no more. A full line overflows into the next ones, in
// order. A block for each bucket counts the pairs of each line and brings them to their slots.
// What it costs: a third of the slots are empty, and the pairs move twice.
// What remains: one thread goes from line to line to compute the overflow, and 1023 wait for it.

#include "lines.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 11'264;  // of a bucket: each has a counter in shared memory, 44 KiB in all

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

    // A line's pairs begin where the line begins, or after the pairs that overflow from earlier lines.
    if (t == 0) {
        int over = 0;
        for (unsigned l = 0; l < part.lines; ++l) {
            const unsigned begin = l * part.width + over, count = next[l];
            for (unsigned s = begin + count; s < (l + 1) * part.width; ++s) slots[s] = empty;
            over = max(0, over + static_cast<int>(count) - static_cast<int>(part.width));
            next[l] = begin;
        }
        extent = part.lines * part.width + over;
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

std::unique_ptr<Table> lines_of_four(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Lines<ByBucket, most_lines>>("6_lines_of_four", buckets, capacity,
                                                         ByBucket{static_cast<unsigned>(buckets)}, launch);
}

STAGES(Stage{"each bucket in the order of a second hash, with gaps", lines_of_four});

}  // namespace hash_table
