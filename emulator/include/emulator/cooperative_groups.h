#pragma once

#include "emulator/engine.h"
#include "emulator/warp.h"

// Cooperative groups: the block, tiles of at most 32 threads, the threads that are active together. Values that a group
// exchanges have at most 8 bytes. A group cannot synchronise the whole grid.
namespace cooperative_groups {

namespace detail {

template <class T>
EMULATOR_INLINE T shuffle(unsigned mask, T value, unsigned source_lane) {
    return ::emulator::from_bits<T>(
        ::emulator::warp_operation(::emulator::WarpOperation::shuffle, mask, ::emulator::to_bits(value), source_lane));
}

inline unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

inline unsigned count(unsigned mask) {
    return static_cast<unsigned>(__builtin_popcount(mask));
}

/// The lane of the thread with that rank among the lanes of a mask.
inline unsigned nth_lane(unsigned mask, unsigned rank) {
    for (; rank > 0; --rank) mask &= mask - 1;
    return static_cast<unsigned>(__builtin_ctz(mask));
}

/// The bits of `lanes` at the places of `mask`, put together.
inline unsigned pack(unsigned lanes, unsigned mask) {
    unsigned packed = 0;
    for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank) packed |= (lanes >> __builtin_ctz(mask) & 1) << rank;
    return packed;
}

}  // namespace detail

class grid_group {
  public:
    static unsigned long long size() { return static_cast<unsigned long long>(blocks()) * threads_per_block(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank() { return block_rank() * threads_per_block() + detail::thread_rank(); }
    static unsigned long long num_blocks() { return blocks(); }
    static unsigned long long block_rank() {
        return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                                (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }

  private:
    static unsigned long long blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
    static unsigned threads_per_block() { return blockDim.x * blockDim.y * blockDim.z; }
};

class thread_block {
  public:
    EMULATOR_INLINE static void sync() { __syncthreads(); }
    static unsigned thread_rank() { return detail::thread_rank(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

template <unsigned Size, class Parent = void>
class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "not supported: tiles of other sizes than 1, 2, 4, 8, 16 and 32 threads");

  public:
    EMULATOR_INLINE void sync() const { __syncwarp(mask()); }
    static unsigned thread_rank() { return detail::thread_rank() & (Size - 1); }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    EMULATOR_INLINE T shfl(T value, int source) const {
        return detail::shuffle(mask(), value, ::emulator::shuffle_source(lane(), source, Size));
    }
    template <class T>
    EMULATOR_INLINE T shfl_up(T value, unsigned delta) const {
        return detail::shuffle(mask(), value, ::emulator::shuffle_up_source(lane(), delta, Size));
    }
    template <class T>
    EMULATOR_INLINE T shfl_down(T value, unsigned delta) const {
        return detail::shuffle(mask(), value, ::emulator::shuffle_down_source(lane(), delta, Size));
    }
    template <class T>
    EMULATOR_INLINE T shfl_xor(T value, unsigned bits) const {
        return detail::shuffle(mask(), value, ::emulator::shuffle_xor_source(lane(), static_cast<int>(bits), Size));
    }
    EMULATOR_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
    EMULATOR_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
    EMULATOR_INLINE unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first_lane(); }
    template <class T>
    EMULATOR_INLINE unsigned match_any(T value) const {
        return __match_any_sync(mask(), value) >> first_lane();
    }
    template <class T>
    EMULATOR_INLINE unsigned match_all(T value, int& all) const {
        return __match_all_sync(mask(), value, &all) >> first_lane();
    }

  private:
    template <unsigned Other>
    friend thread_block_tile<Other, thread_block> tiled_partition(const thread_block&);
    template <unsigned Other, unsigned Whole, class Grand>
    friend thread_block_tile<Other, thread_block_tile<Whole, Grand>> tiled_partition(
        const thread_block_tile<Whole, Grand>&);

    thread_block_tile(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}

    static unsigned lane() { return ::emulator::lane_index(); }
    static unsigned first_lane() { return lane() & ~(Size - 1); }
    static unsigned mask() { return 0xffffffff >> (32 - Size) << first_lane(); }

    unsigned meta_rank_, meta_size_;
};

class coalesced_group {
  public:
    EMULATOR_INLINE void sync() const { __syncwarp(mask_); }
    unsigned thread_rank() const { return detail::count(mask_ & ((1u << ::emulator::lane_index()) - 1)); }
    unsigned size() const { return detail::count(mask_); }
    unsigned num_threads() const { return size(); }
    static unsigned meta_group_rank() { return 0; }
    static unsigned meta_group_size() { return 1; }

    template <class T>
    EMULATOR_INLINE T shfl(T value, int source) const {
        return detail::shuffle(mask_, value, detail::nth_lane(mask_, static_cast<unsigned>(source) % size()));
    }
    template <class T>
    EMULATOR_INLINE T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return detail::shuffle(mask_, value, detail::nth_lane(mask_, delta <= rank ? rank - delta : rank));
    }
    template <class T>
    EMULATOR_INLINE T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return detail::shuffle(mask_, value, detail::nth_lane(mask_, delta < size() - rank ? rank + delta : rank));
    }
    EMULATOR_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
    EMULATOR_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
    EMULATOR_INLINE unsigned ballot(int predicate) const {
        return detail::pack(__ballot_sync(mask_, predicate), mask_);
    }
    template <class T>
    EMULATOR_INLINE unsigned match_any(T value) const {
        return detail::pack(__match_any_sync(mask_, value), mask_);
    }
    template <class T>
    EMULATOR_INLINE unsigned match_all(T value, int& all) const {
        return detail::pack(__match_all_sync(mask_, value, &all), mask_);
    }

  private:
    friend coalesced_group coalesced_threads();
    explicit coalesced_group(unsigned mask) : mask_(mask) {}

    unsigned mask_;
};

inline grid_group this_grid() {
    return {};
}
inline thread_block this_thread_block() {
    return {};
}
EMULATOR_INLINE coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
    return {block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}
template <unsigned Size, unsigned Whole, class Grand>
thread_block_tile<Size, thread_block_tile<Whole, Grand>> tiled_partition(const thread_block_tile<Whole, Grand>& whole) {
    static_assert(Size <= Whole, "a tile cannot be larger than what it is a part of");
    return {whole.thread_rank() / Size, Whole / Size};
}

template <class Group>
EMULATOR_INLINE void sync(const Group& group) {
    group.sync();
}
template <class Group>
auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
    return group.size();
}

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

/// The values of all threads of the group, put together, for each of them.
template <unsigned Size, class Parent, class T, class Operation>
EMULATOR_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    for (unsigned bits = Size / 2; bits > 0; bits /= 2) value = operation(value, tile.shfl_xor(value, bits));
    return value;
}
template <class T, class Operation>
EMULATOR_INLINE T reduce(const coalesced_group& group, T value, Operation operation) {
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank)
        result = operation(result, group.shfl(value, static_cast<int>(rank)));
    return result;
}

}  // namespace cooperative_groups
