// New here: inside its bucket, a pair lies where a second hash says. A bucket is cut into two parts, a part into lines
// of four pairs, which are the 32 bytes that memory gives at once: a find reads one line, and mostly that is all. Lines
// that are full flow over into the next ones, in order. Each part is put together in shared memory, by one block.
// What it costs: a third of the slots are empty, and the pairs move twice.
// What remains: each find is a journey to another place in memory, and so many of those are there in a second.

#include "common/check.h"
#include "common/device_buffer.h"
#include "grid.h"
#include "partition.h"

namespace hash_table {
namespace {

constexpr unsigned sector = 4;             // pairs in 32 bytes
constexpr unsigned part_threads = 1024;    // that put a part together
constexpr unsigned most_lines = 5632;      // of a part: a counter in shared memory for each
constexpr unsigned staged_slots = 20'480;  // of a part that is put together in shared memory
constexpr Pair empty{absent, absent};      // its value is what a find for its key has to give

/// A multiplicative hash (Knuth): its upper bits depend on all bits of the key.
__device__ unsigned second_hash(Key key) {
    return key * 2654435769u;
}

/// The second hash's uppermost bits say which part of the bucket, the others which line of the part.
struct ByPart {
    unsigned buckets, bits;

    __device__ unsigned operator()(Key key) const {
        return bucket_of(key, buckets) << bits | static_cast<unsigned>(std::uint64_t{second_hash(key)} << bits >> 32);
    }
    __device__ unsigned line(Key key, unsigned lines) const { return __umulhi(second_hash(key) << bits, lines); }
};

/// Line l of a part begins at slot first + l · width.
struct alignas(16) Part {
    unsigned first, lines, width;
    unsigned n;  // pairs
};

/// Three slots for two pairs.
__host__ __device__ constexpr std::size_t slots_for(std::size_t n) {
    return n + n / 2;
}

/// A part too large for its lines gets wider ones.
__host__ __device__ Part part_for(unsigned n) {
    const auto slots = static_cast<unsigned>(slots_for(n));
    const unsigned width = sector * (slots / (sector * most_lines) + 1);
    return {.first = 0, .lines = slots / width + 1, .width = width, .n = n};
}

/// Slots that a part may need: if all its pairs flow over the end, and a sector to stop at.
__host__ __device__ unsigned room_for(Part part) {
    return (part.lines * part.width + part.n + sector - 1) / sector * sector + sector;
}

struct Sums {
    unsigned a, b;  // pairs, slots
};

__global__ void __launch_bounds__(partition_threads)
    lay_out(const unsigned* counts, unsigned parts, unsigned* cursor, Part* part) {
    const unsigned share = (parts + blockDim.x - 1) / blockDim.x;
    const unsigned from = min(threadIdx.x * share, parts), to = min(from + share, parts);
    Sums sums{0, 0};
    for (unsigned p = from; p < to; ++p) {
        sums.a += counts[p];
        sums.b += room_for(part_for(counts[p]));
    }
    Sums before = scan_before(sums, Sums{0, 0}, [](Sums x, Sums y) { return Sums{x.a + y.a, x.b + y.b}; });
    for (unsigned p = from; p < to; ++p) {
        part[p] = part_for(counts[p]);
        part[p].first = before.b;
        cursor[p] = before.a;
        before.a += counts[p];
        before.b += room_for(part[p]);
    }
}

struct ToPairs {
    Pair* pairs;

    __device__ void operator()(unsigned i, Pair pair) const { pairs[i] = pair; }
};

/// How many pairs flow over the end of a line, as a function of how many flow over its beginning: x → max(b, x + a).
struct Overflow {
    int a, b;
};

__device__ Overflow combine(Overflow earlier, Overflow later) {
    return {earlier.a + later.a, max(later.b, earlier.b + later.a)};
}

/// Calls use(pair) for each of a part's pairs. A thread asks for 14, mostly all it has, before it uses the first.
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

/// A block for each part. ends: where in `pairs` each of the parts ends.
__global__ void __launch_bounds__(part_threads) put_together(const Pair* pairs, const unsigned* ends, const Part* parts,
                                                             ByPart by_part, unsigned staged_size, Pair* slots) {
    extern __shared__ Pair staged[];
    unsigned* next = reinterpret_cast<unsigned*>(staged + staged_size);  // of each line, the slot of its next pair
    __shared__ unsigned extent;
    const Part part = parts[blockIdx.x];
    const unsigned t = threadIdx.x, threads = blockDim.x;
    pairs += ends[blockIdx.x] - part.n;
    slots += part.first;

    for (unsigned l = t; l < part.lines; l += threads) next[l] = 0;
    __syncthreads();
    for_each_pair(pairs, part.n, [&](Pair pair) { atomicAdd(&next[by_part.line(pair.key, part.lines)], 1); });
    __syncthreads();

    // A line's pairs begin with the line, or behind those that flow over from the lines before it.
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
                      [&](Pair pair) { to_fill[atomicAdd(&next[by_part.line(pair.key, part.lines)], 1)] = pair; });
    };
    if (end > staged_size) {  // more keys than others: in place
        fill(slots);
        return;
    }
    fill(staged);
    __syncthreads();
    const auto* source = reinterpret_cast<const uint4*>(staged);
    auto* target = reinterpret_cast<uint4*>(slots);
    for (unsigned i = t; i < end / 2; i += threads) target[i] = source[i];
}

__global__ void find_in_lines(const Part* parts, ByPart by_part, const Pair* slots, const Key* keys, std::size_t n,
                              Value* values) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    const Part part = parts[by_part(key)];
    const auto* line = reinterpret_cast<const uint4*>(slots + part.first + by_part.line(key, part.lines) * part.width);
    for (;; line += 2) {
        const uint4 a = line[0], b = line[1];  // four pairs
        const Value value = a.x == key ? a.y : a.z == key ? a.w : b.x == key ? b.y : b.z == key ? b.w : absent;
        if (value != absent || b.w == absent) {  // found, or here is where the overflow ends
            values[i] = value;
            return;
        }
    }
}

class LinesOfFour final : public Table {
  public:
    LinesOfFour(std::size_t buckets, std::size_t capacity) : Table(buckets, capacity) {
        const unsigned most = most_parts();
        if (buckets > most)
            throw usage_error("6_lines_of_four: a block has shared memory for " + std::to_string(most) +
                              " buckets here, not for " + std::to_string(buckets));
        by_part_ = {this->buckets(), buckets << 1 <= most ? 1u : 0u};
        parts_count_ = this->buckets() << by_part_.bits;

        // room_for() all parts: at most n / 2048 + 15 slots more than slots_for(n) + n, if n is a part's.
        const std::size_t slots = slots_for(capacity) + capacity + capacity / 2048 + std::size_t{16} * parts_count_;
        require_memory(8.0 * static_cast<double>(slots + capacity) + 24.0 * parts_count_, 0);
        slots_ = DeviceBuffer<Pair>(slots);
        pairs_ = DeviceBuffer<Pair>(capacity);
        counts_ = DeviceBuffer<unsigned>(parts_count_);
        cursor_ = DeviceBuffer<unsigned>(parts_count_);
        parts_ = DeviceBuffer<Part>(parts_count_);
        insert_all(nullptr, nullptr, 0);
    }

    void find(const Key* keys, std::size_t n, Value* values) const override {
        if (n == 0) return;
        find_in_lines<<<blocks_for(n), block_size>>>(parts_.data(), by_part_, slots_.data(), keys, n, values);
        CUDA_CHECK_LAUNCH();
    }

    Contents copy_table_to_host() const override {
        const std::vector<Part> parts = parts_.to_host();
        const std::vector<Pair> slots = slots_.to_host();
        Contents contents;
        contents.pairs.reserve(size());
        for (unsigned p = 0; p < parts_count_; ++p) {
            if (p % (1 << by_part_.bits) == 0) contents.begin.push_back(contents.pairs.size());
            const Part& part = parts[p];
            for (unsigned s = part.first;; ++s) {
                if (slots.at(s).value != absent)
                    contents.pairs.push_back(slots[s]);
                else if (s >= part.first + part.lines * part.width)
                    break;
            }
        }
        contents.begin.push_back(contents.pairs.size());
        return contents;
    }

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        launch_count(keys, n, by_part_, parts_count_, counts_.data());
        lay_out<<<1, partition_threads>>>(counts_.data(), parts_count_, cursor_.data(), parts_.data());
        CUDA_CHECK_LAUNCH();
        launch_scatter(keys, values, n, by_part_, parts_count_, cursor_.data(), ToPairs{pairs_.data()});

        constexpr std::size_t counters = (most_lines + 1) * sizeof(unsigned);
        const std::size_t staged =
            std::min<std::size_t>(staged_slots, (largest_shared_memory() - counters) / sizeof(Pair));
        const std::size_t shared = staged * sizeof(Pair) + counters;
        allow_shared_memory(put_together, shared);
        put_together<<<parts_count_, part_threads, shared>>>(pairs_.data(), cursor_.data(), parts_.data(), by_part_,
                                                             static_cast<unsigned>(staged), slots_.data());
        CUDA_CHECK_LAUNCH();
    }

    ByPart by_part_{};
    unsigned parts_count_ = 0;
    DeviceBuffer<Pair> slots_, pairs_;
    DeviceBuffer<unsigned> counts_, cursor_;  // cursor_: after scatter(), where each part ends
    DeviceBuffer<Part> parts_;
};

}  // namespace

std::unique_ptr<Table> lines_of_four(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<LinesOfFour>(buckets, capacity);
}

}  // namespace hash_table
