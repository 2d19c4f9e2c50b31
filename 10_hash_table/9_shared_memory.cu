// New here: a part is put together in shared memory, where scattered stores cost little, and is written out coalesced.
// A part that is too large for it, since many keys are equal or alike, is put together in place: slower, and right.
// What remains: a thread waits for each pair that it loads before it asks for the next.

#include "put_together.h"

namespace hash_table {
namespace {

constexpr unsigned most_lines = 5632;      // of a part: each has a counter in shared memory, 22 KiB in all
constexpr unsigned staged_slots = 20'480;  // 160 KiB: the slots of a part of 12,800 pairs, and its overflow

__global__ void __launch_bounds__(part_threads) put_together(const Pair* pairs, const unsigned* ends, const Part* parts,
                                                             ByPart part_of, unsigned staged_size, Pair* slots) {
    put_together_in_shared_memory(pairs, ends, parts, part_of, staged_size, slots,
                                  [](const Pair* of_part, unsigned n, auto use) {
                                      for (unsigned i = threadIdx.x; i < n; i += blockDim.x) use(of_part[i]);
                                  });
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

std::unique_ptr<Table> shared_memory(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Lines<ByPart, most_lines>>("9_shared_memory", buckets, capacity, by_part(buckets), launch);
}

STAGES(Stage{"put together in shared memory, written in one go", shared_memory});

}  // namespace hash_table
