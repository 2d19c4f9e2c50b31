#pragma once

// Tables in which a find mostly reads one sector of 32 bytes: the pairs of a bucket lie in lines of four, in the order
// of a second hash. What stages 6 to 10 share: the layout, the find, and all of building but the last step.

#include <algorithm>
#include <string>

#include "block_scan.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/errors.h"
#include "common/memory.h"
#include "grid.h"
#include "hash_table.h"
#include "partition.h"

namespace hash_table {

inline constexpr unsigned sector = 4;           // pairs in 32 bytes
inline constexpr unsigned part_threads = 1024;  // in a block that puts a part together
inline constexpr Pair empty{absent, absent};    // an empty slot; a find that meets it gives the right value, `absent`

/// A multiplicative hash (Knuth): its upper bits depend on all bits of the key.
__device__ inline unsigned second_hash(Key key) {
    return key * 2654435769u;
}

/// A part is a piece of a bucket: the uppermost `bits` of the second hash say which.
struct ByPart {
    unsigned buckets, bits;

    __device__ unsigned operator()(Key key) const {
        return bucket_of(key, buckets) << bits | static_cast<unsigned>(std::uint64_t{second_hash(key)} << bits >> 32);
    }
};

/// Two parts for each bucket; one if shared memory has no room for counters of twice as many parts.
inline ByPart by_part(std::size_t buckets) {
    return {static_cast<unsigned>(buckets), 2 * buckets <= most_parts() ? 1u : 0u};
}

/// The line of a key in its part, from the other bits of the second hash.
template <class PartOf>
__device__ unsigned line_of(Key key, PartOf part_of, unsigned lines) {
    return __umulhi(second_hash(key) << part_of.bits, lines);
}

/// Line l of a part begins at slot first + l · width.
struct alignas(16) Part {
    unsigned first, lines, width;
    unsigned n;  // pairs
};

/// Three slots for two pairs. With more, fewer lines are full. But stages have room for only so many lines and slots of
/// a part (most_lines, staged_slots): beyond that, lines get wider, and the part is put together in global memory.
__host__ __device__ constexpr std::size_t slots_for(std::size_t n) {
    return n + n / 2;
}

/// The lines of a part of n pairs. A part that needs more than most_lines gets wider lines.
template <unsigned most_lines>
__device__ Part part_for(unsigned n) {
    const auto slots = static_cast<unsigned>(slots_for(n));
    const unsigned width = sector * (slots / (sector * most_lines) + 1);
    return {.first = 0, .lines = slots / width + 1, .width = width, .n = n};
}

/// The most slots that a part needs: all its pairs may overflow the last line, and an empty sector ends them.
__device__ inline unsigned room_for(Part part) {
    return (part.lines * part.width + part.n + sector - 1) / sector * sector + sector;
}

struct Sums {
    unsigned a, b;  // pairs, slots
};

/// Computes where each part lies, and where its pairs wait until they are put together. By one block.
template <unsigned most_lines>
__global__ void __launch_bounds__(partition_threads)
    lay_out(const unsigned* counts, unsigned parts, unsigned* cursor, Part* part) {
    const unsigned share = (parts + blockDim.x - 1) / blockDim.x;
    const unsigned from = min(threadIdx.x * share, parts), to = min(from + share, parts);
    Sums sums{0, 0};
    for (unsigned p = from; p < to; ++p) {
        sums.a += counts[p];
        sums.b += room_for(part_for<most_lines>(counts[p]));
    }
    Sums before = scan_before(sums, Sums{0, 0}, [](Sums x, Sums y) { return Sums{x.a + y.a, x.b + y.b}; });
    for (unsigned p = from; p < to; ++p) {
        part[p] = part_for<most_lines>(counts[p]);
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

template <class PartOf>
__global__ void find_in_lines(const Part* parts, PartOf part_of, const Pair* slots, const Key* keys, std::size_t n,
                              Value* values) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    const Part part = parts[part_of(key)];
    const auto* line =
        reinterpret_cast<const uint4*>(slots + part.first + line_of(key, part_of, part.lines) * part.width);
    for (;; line += 2) {
        const uint4 a = line[0], b = line[1];  // four pairs
        const Value value = a.x == key ? a.y : a.z == key ? a.w : b.x == key ? b.y : b.z == key ? b.w : absent;
        if (value != absent || b.w == absent) {  // found, or the overflow ends here
            values[i] = value;
            return;
        }
    }
}

/// Queues the last step of building, a block for each part. ends: where in `pairs` each part ends. A line's pairs go to
/// the line's slots, or overflow into the next lines' slots. The slots between them become `empty`, and so does a
/// sector behind the last one.
template <class PartOf>
using PutTogether = void(const Pair* pairs, const unsigned* ends, const Part* parts, unsigned parts_count,
                         PartOf part_of, Pair* slots);

/// A table whose parts have at most most_lines lines. stage: its name in messages.
template <class PartOf, unsigned most_lines>
class Lines final : public Table {
  public:
    Lines(const std::string& stage, std::size_t buckets, std::size_t capacity, PartOf part_of,
          PutTogether<PartOf>* put_together)
        : Table(buckets, capacity), part_of_(part_of), put_together_(put_together) {
        if (buckets > most_parts())
            throw usage_error(stage + ": a block has shared memory for " + std::to_string(most_parts()) +
                              " buckets here, not for " + std::to_string(buckets));
        parts_count_ = this->buckets() << part_of.bits;

        // room_for() a part of n pairs is at most slots_for(n) + n + n / 2048 + 15 slots.
        const std::size_t slots = slots_for(capacity) + capacity + capacity / 2048 + std::size_t{16} * parts_count_;
        require_memory(8.0 * static_cast<double>(slots + capacity) + 24.0 * parts_count_, 0);
        slots_ = DeviceBuffer<Pair>(slots);
        slots_.poison();  // not all slots are written, yet all are copied to the host
        pairs_ = DeviceBuffer<Pair>(capacity);
        counts_ = DeviceBuffer<unsigned>(parts_count_);
        cursor_ = DeviceBuffer<unsigned>(parts_count_);
        parts_ = DeviceBuffer<Part>(parts_count_);
        insert_all(nullptr, nullptr, 0);
    }

    void find(const Key* keys, std::size_t n, Value* values) const override {
        if (n == 0) return;
        find_in_lines<<<blocks_for(n), block_size>>>(parts_.data(), part_of_, slots_.data(), keys, n, values);
        CUDA_CHECK_LAUNCH();
    }

    Contents copy_table_to_host() const override {
        const std::vector<Part> parts = parts_.to_host();
        const std::vector<Pair> slots = slots_.to_host();
        Contents contents;
        contents.pairs.reserve(size());
        for (unsigned p = 0; p < parts_count_; ++p) {
            if (p % (1 << part_of_.bits) == 0) contents.begin.push_back(contents.pairs.size());
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
        launch_count(keys, n, part_of_, parts_count_, counts_.data());
        lay_out<most_lines><<<1, partition_threads>>>(counts_.data(), parts_count_, cursor_.data(), parts_.data());
        CUDA_CHECK_LAUNCH();
        launch_scatter(keys, values, n, part_of_, parts_count_, cursor_.data(), ToPairs{pairs_.data()});
        put_together_(pairs_.data(), cursor_.data(), parts_.data(), parts_count_, part_of_, slots_.data());
    }

    const PartOf part_of_;
    PutTogether<PartOf>* const put_together_;
    unsigned parts_count_ = 0;
    DeviceBuffer<Pair> slots_, pairs_;
    DeviceBuffer<unsigned> counts_, cursor_;  // cursor_: after scatter(), where each part ends
    DeviceBuffer<Part> parts_;
};

}  // namespace hash_table
