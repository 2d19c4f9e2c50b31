// New here: a thread has 14 loads in flight, mostly all its pairs, before it uses the first: their latencies overlap.
// What remains: each find reads a sector at a random address, and memory delivers only so many of those in a second.

#include "put_together.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 5632;      // of a part: each has a counter in shared memory, 22 KiB in all
constexpr unsigned staged_slots = 20'480;  // 160 KiB: the slots of a part of 12,800 pairs, and its overflow

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

__global__ void __launch_bounds__(part_threads) put_together(const Pair* pairs, const unsigned* ends, const Part* parts,
                                                             ByPart part_of, unsigned staged_size, Pair* slots) {
    put_together_in_shared_memory(pairs, ends, parts, part_of, staged_size, slots,
                                  [](const Pair* of_part, unsigned n, auto use) { for_each_pair(of_part, n, use); });
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

STAGES(Stage{"14 pairs in flight for each thread at once", loads_in_flight});

}  // namespace hash_table
