#pragma once

// How the stages from 7 on put a part together, once they have its pairs.

#include "lines.h"

namespace hash_table {

/// The function x → max(b, x + a): if x pairs overflow into a line or a run of lines, so many overflow out of it.
struct Overflow {
    int a, b;
};

__device__ inline Overflow combine(Overflow earlier, Overflow later) {
    return {earlier.a + later.a, max(later.b, earlier.b + later.a)};
}

/// Brings a part's pairs to their slots: a block for each part. ends: where in `pairs` each part ends.
template <class PartOf>
__device__ void put_together_in_place(const Pair* pairs, const unsigned* ends, const Part* parts, PartOf part_of,
                                      Pair* slots) {
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

/// The same in shared memory, with room for so many slots, if they fit. for_each_pair(pairs, n, use) calls use(pair)
/// for each.
template <class ForEachPair>
__device__ void put_together_in_shared_memory(const Pair* pairs, const unsigned* ends, const Part* parts,
                                              ByPart part_of, unsigned staged_size, Pair* slots,
                                              const ForEachPair& for_each_pair) {
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

    // A line's pairs begin where the line begins, or after the pairs that overflow from earlier lines.
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

}  // namespace hash_table
