#pragma once

// Ordering the keys of a block by one digit, 8 bits of each: what stages 10 and 11 have in common.

#include "keys.h"

namespace bubble_sort {

inline constexpr unsigned digit_bits = 8;
inline constexpr unsigned digits = 1 << digit_bits;
inline constexpr unsigned all_lanes = 0xffffffff;

__device__ inline unsigned digit_of(Key key, unsigned shift) {
    return key >> shift & (digits - 1);
}

/// For thread i < 256 of a block, the sum of the values of the threads 0 to i - 1. warp_sums: shared memory.
__device__ inline unsigned sum_before(unsigned value, unsigned (&warp_sums)[digits / 32]) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = value;
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned left = __shfl_up_sync(all_lanes, sum, distance);
        if (lane >= distance) sum += left;
    }
    if (lane == 31 && warp < digits / 32) warp_sums[warp] = sum;
    __syncthreads();
    if (warp < digits / 32)
        for (unsigned w = 0; w < warp; ++w) sum += warp_sums[w];
    __syncthreads();  // the next call may write warp_sums
    return sum - value;
}

/// The shared memory of a block that orders its keys by a digit. Thread i < 256 takes care of digit i.
template <unsigned block_size, unsigned per_thread>
struct DigitOrder {
    static constexpr unsigned keys_of_thread = per_thread, tile = block_size * per_thread, warps = block_size / 32;
    static_assert(block_size >= digits);

    unsigned next[warps][digits];   // how many keys with a digit a warp has; then, where the next of them goes
    unsigned lanes[warps][digits];  // which lanes of a warp have a key with a digit; 0 where nobody asks
    unsigned warp_sums[digits / 32];
    Key keys[tile];

    /// The index of a thread's key number r. A warp's keys are neighbours, so its loads are coalesced.
    __device__ static unsigned index(unsigned r) {
        return threadIdx.x / 32 * 32 * per_thread + r * 32 + threadIdx.x % 32;
    }

    /// All threads call it once, before place().
    __device__ void prepare() {
        for (unsigned digit = threadIdx.x % 32; digit < digits; digit += 32) lanes[threadIdx.x / 32][digit] = 0;
        __syncwarp();
    }

    /// Counts the keys with each digit, and returns how many have the digit of this thread. All threads call it.
    __device__ unsigned count(const Key (&thread_keys)[per_thread], unsigned shift) {
        unsigned* of_warp = next[threadIdx.x / 32];
        for (unsigned digit = threadIdx.x % 32; digit < digits; digit += 32) of_warp[digit] = 0;
        __syncwarp();
#pragma unroll
        for (unsigned r = 0; r < per_thread; ++r) atomicAdd(&of_warp[digit_of(thread_keys[r], shift)], 1);
        __syncthreads();

        unsigned total = 0;
        if (threadIdx.x < digits)
#pragma unroll
            for (unsigned warp = 0; warp < warps; ++warp) total += next[warp][threadIdx.x];
        return total;
    }

    /// Puts the keys into `keys`, ordered by their digits; keys with the same digit stay in order. start: where those
    /// with the digit of this thread begin.
    __device__ void place(const Key (&thread_keys)[per_thread], unsigned shift, unsigned start) {
        if (threadIdx.x < digits)
#pragma unroll
            for (unsigned warp = 0; warp < warps; ++warp) {
                const unsigned of_warp = next[warp][threadIdx.x];
                next[warp][threadIdx.x] = start;
                start += of_warp;
            }
        __syncthreads();

        const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        unsigned same[per_thread];  // the lanes whose key number r has the same digit
#pragma unroll
        for (unsigned r = 0; r < per_thread; ++r) same[r] = lanes_with(digit_of(thread_keys[r], shift));
#pragma unroll
        for (unsigned r = 0; r < per_thread; ++r) {
            const unsigned first = __ffs(same[r]) - 1;
            unsigned to = 0;
            if (lane == first) {  // takes places for all of them
                unsigned& place = next[warp][digit_of(thread_keys[r], shift)];
                to = place;
                place += __popc(same[r]);
            }
            __syncwarp();
            to = __shfl_sync(all_lanes, to, first) + __popc(same[r] & lanes_before());
            keys[to] = thread_keys[r];
        }
        __syncthreads();
    }

  private:
    __device__ static unsigned lanes_before() {
        return (1u << threadIdx.x % 32) - 1;
    }

    /// Which lanes of the warp ask for the same digit.
    __device__ unsigned lanes_with(unsigned digit) {
        unsigned& with = lanes[threadIdx.x / 32][digit];
        atomicOr(&with, 1u << threadIdx.x % 32);
        __syncwarp();
        const unsigned same = with;
        __syncwarp();
        if ((same & lanes_before()) == 0) with = 0;  // one of them, for the next to ask
        __syncwarp();
        return same;
    }
};

}  // namespace bubble_sort
