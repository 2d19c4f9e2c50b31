// New here: a thread has 14 loads in flight, mostly all its pairs, before it uses the first: their latencies overlap.
// What remains: each find reads a sector at a random address, and memory delivers only so many of those in a second.

#include "lines.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 5632;      // of a part: each has a counter in shared memory, 22 KiB in all
constexpr unsigned staged_slots = 20'480;  // 160 KiB: the slots of a part of 12,800 pairs, and its overflow

/// The function x → max(b, x + a): if x pairs overflow into a line or a run of lines, so many overflow out of it.
struct Overflow {
    int a, b;
};

__device__ Overflow combine(Overflow earlier, Overflow later) {
    return {earlier.a + later.a, max(later.b, earlier.b + later.a)};
}

/// Calls use(pair) for each of a part's pairs. A thread loads 14, mostly all its pairs, before it uses the first.
template <class Use>
__device__ void for_each_pair(const Pair* pairs, unsigned n, Use use) {
    constexpr unsigned batch = 14;
    for (unsigned first = threadIdx.x; first < n; first += batch * blockDim.x) {
        Pair pair[batch];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k)
            if (first + k * blockDim.x < n) pair[k] = pairs[first + k * blockDim.x];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k)
            if (first + k * blockDim.x < n) use(pair[k]);
    }
}

/// Brings a part's pairs to their slots: a block for each part. ends: where in `pairs` each part ends.
__global__ void __launch_bounds__(part_threads) put_together(const Pair* pairs, const unsigned* ends, const Part* parts,
                                                             ByPart part_of, unsigned staged_size, Pair* slots) {
    extern __shared__ Pair staged[];
    unsigned* next = reinterpret_cast<unsigned*>(staged + staged_size);  // of each line, the slot of its next pair
    __shared__ unsigned extent;
    const Part part = parts[blockIdx.x];
    const unsigned t = threadIdx.x, threads = blockDim.x;
    pairs += ends[blockIdx.x] - part.n;
    slots += part.first;

    for (unsigned l = t; l < part.lines; l += threads) next[l] = 0;
    __syncthreads();
    for_each_pair(pairs, part.n, [&](Pair pair) { atomicAdd(&next[line_of(pair.key, part_of, part.lines)], 1); });
    __syncthreads();

    // A line's pairs begin where the line begins, or behind the pairs that overflow from earlier lines.
    const unsigned share = (part.lines + threads - 1) / threads;
    const unsigned from = min(t * share, part.lines), to = min(from + share, part.lines);
    Overflow overflow{0, 0};
    for (unsigned l = from; l < to; ++l)
        overflow = combine(overflow, {static_cast<int>(next[l]) - static_cast<int>(part.width), 0});
    const Overflow before = scan_before(overflow, Overflow{0, 0}, combine);
    if (t == threads - 1) extent = part.lines * part.width + combine(before, overflow).b;
    __syncthreads();
    const unsigned end = (extent + sector - 1) / sector * sector + sector;

    const auto fill = [&](Pair* to_fill) {
        int over = before.b;
        for (unsigned l = from; l < to; ++l) {
            const unsigned begin = l * part.width + over, count = next[l];
            for (unsigned s = begin + count; s < (l + 1) * part.width; ++s) to_fill[s] = empty;
            over = max(0, over + static_cast<int>(count) - static_cast<int>(part.width));
            next[l] = begin;
        }
        for (unsigned s = extent + t; s < end; s += threads) to_fill[s] = empty;
        __syncthreads();
        for_each_pair(pairs, part.n,
                      [&](Pair pair) { to_fill[atomicAdd(&next[line_of(pair.key, part_of, part.lines)], 1)] = pair; });
    };
    if (end > staged_size) {  // too large for shared memory: in place
        fill(slots);
        return;
    }
    fill(staged);
    __syncthreads();
    const auto* source = reinterpret_cast<const uint4*>(staged);
    auto* target = reinterpret_cast<uint4*>(slots);
    for (unsigned i = t; i < end / 2; i += threads) target[i] = source[i];
}

void launch(const Pair* pairs, const unsigned* ends, const Part* parts, unsigned parts_count, ByPart part_of,
            Pair* slots) {
    constexpr std::size_t counters = (most_lines + 1) * sizeof(unsigned);
    const std::size_t staged = std::min<std::size_t>(staged_slots, (largest_shared_memory() - counters) / sizeof(Pair));
    const std::size_t shared = staged * sizeof(Pair) + counters;
    allow_shared_memory(put_together, shared);
    put_together<<<parts_count, part_threads, shared>>>(pairs, ends, parts, part_of, static_cast<unsigned>(staged),
                                                        slots);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

std::unique_ptr<Table> loads_in_flight(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Lines<ByPart, most_lines>>("10_loads_in_flight", buckets, capacity, by_part(buckets),
                                                       launch);
}

STAGES(Stage{"14 pairs on the way to each thread at once", loads_in_flight});

}  // namespace hash_table
