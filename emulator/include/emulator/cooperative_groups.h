#pragma once

#include <cstring>
#include <type_traits>

#include "emulator/clusters.h"
#include "emulator/engine.h"
#include "emulator/warp.h"

// Cooperative groups: the block, its tiles, the threads that are active together, the cluster, and
// the grid of a cooperative launch. Values that a group exchanges are trivially copyable and have at most 32 bytes.
namespace cooperative_groups {

namespace detail {

inline unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

inline unsigned block_size() {
    return blockDim.x * blockDim.y * blockDim.z;
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

/// What the lane `source` brings.
template <class T>
EMULATOR_INLINE T shuffle(unsigned mask, const T& value, unsigned source) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32,
                  "groups exchange trivially copyable values of at most 32 bytes");
    constexpr std::size_t word = sizeof(std::uint64_t);
    T result = value;
    for (std::size_t at = 0; at < sizeof(T); at += word) {
        const std::size_t bytes = sizeof(T) - at < word ? sizeof(T) - at : word;
        std::uint64_t bits = 0;
        std::memcpy(&bits, reinterpret_cast<const char*>(&value) + at, bytes);
        bits = ::emulator::warp_operation(::emulator::WarpOperation::shuffle, mask, bits, source);
        std::memcpy(reinterpret_cast<char*>(&result) + at, &bits, bytes);
    }
    return result;
}

}  // namespace detail

/// Any group, when it does not matter which kind.
class thread_group {
  public:
    unsigned long long size() const;
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const;
    EMULATOR_INLINE void sync() const;

  protected:
    enum class Kind : unsigned char { lanes, block, cluster, grid };

    explicit thread_group(Kind kind) : kind_(kind) {}
    explicit thread_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : kind_(Kind::lanes), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

    /// This thread's part of a warp's lanes when they are cut into parts of n.
    thread_group part_of_lanes(unsigned n) const;
    static thread_group part_of_block(unsigned n);

    friend thread_group tiled_partition(const thread_group&, unsigned);
    friend class coalesced_group;

    Kind kind_;
    unsigned mask_ = 0;  // of lanes
    unsigned meta_rank_ = 0, meta_size_ = 1;
};

class grid_group : public thread_group {
  public:
    /// Whether the kernel was launched cooperatively, so that its blocks can wait for each other.
    bool is_valid() const { return ::emulator::is_cooperative(); }
    EMULATOR_INLINE void sync() const { ::emulator::sync_grid(); }
    using arrival_token = unsigned;
    arrival_token barrier_arrive() const { return {}; }
    EMULATOR_INLINE void barrier_wait(arrival_token&&) const { ::emulator::sync_grid(); }

    static unsigned long long size() { return num_blocks() * detail::block_size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank() { return block_rank() * detail::block_size() + detail::thread_rank(); }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                                (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
    static dim3 dim_threads() { return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z}; }
    static dim3 thread_index() {
        return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z};
    }

  private:
    friend grid_group this_grid();
    grid_group() : thread_group(Kind::grid) {}
};

/// The blocks of a cluster, whose shared memory each of them may use. A launch without clusters has those of one block.
class cluster_group : public thread_group {
  public:
    struct arrival_token {};

    EMULATOR_INLINE static void sync() { ::emulator::sync_cluster(); }
    EMULATOR_INLINE static arrival_token barrier_arrive() {
        ::emulator::arrive_at_cluster(true);
        return {};
    }
    EMULATOR_INLINE static void barrier_wait() { ::emulator::wait_for_cluster(); }
    EMULATOR_INLINE static void barrier_wait(arrival_token&&) { ::emulator::wait_for_cluster(); }

    /// The same variable in the shared memory of the block of that rank.
    template <class T>
    static T* map_shared_rank(T* address, int rank) {
        const void* const mine = const_cast<const void*>(static_cast<const volatile void*>(address));
        return static_cast<T*>(::emulator::map_to_cluster(mine, static_cast<unsigned>(rank)));
    }
    static unsigned query_shared_rank(const void* address) { return ::emulator::rank_in_cluster(address); }

    static dim3 block_index() { return ::emulator::block_index_in_cluster(); }
    static unsigned block_rank() { return ::emulator::block_rank_in_cluster(); }
    static dim3 dim_blocks() { return ::emulator::cluster_dim(); }
    static unsigned num_blocks() { return __clusterSizeInBlocks(); }
    static dim3 thread_index() {
        const dim3 block = block_index();
        return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z};
    }
    static unsigned thread_rank() { return block_rank() * detail::block_size() + detail::thread_rank(); }
    static dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
    }
    static unsigned num_threads() { return num_blocks() * detail::block_size(); }
    static unsigned size() { return num_threads(); }

  private:
    friend cluster_group this_cluster();
    cluster_group() : thread_group(Kind::cluster) {}
};

class thread_block : public thread_group {
  public:
    EMULATOR_INLINE static void sync() { __syncthreads(); }
    static unsigned thread_rank() { return detail::thread_rank(); }
    static unsigned size() { return detail::block_size(); }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }

    // As in CUDA's own headers: arriving does nothing yet, and waiting is the whole barrier.
    struct arrival_token {};
    arrival_token barrier_arrive() const { return {}; }
    EMULATOR_INLINE void barrier_wait(arrival_token&&) const { __syncthreads(); }

  private:
    friend thread_block this_thread_block();
    thread_block() : thread_group(Kind::block) {}
};

/// What lanes of one warp can do together: these, and those of a tile.
class coalesced_group : public thread_group {
  public:
    EMULATOR_INLINE void sync() const { __syncwarp(mask_); }
    unsigned thread_rank() const { return detail::count(mask_ & ((1u << ::emulator::lane_index()) - 1)); }
    unsigned size() const { return detail::count(mask_); }
    unsigned num_threads() const { return size(); }
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }

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

  protected:
    explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : thread_group(mask, meta_rank, meta_size) {}

  private:
    friend coalesced_group coalesced_threads();
    friend coalesced_group tiled_partition(const coalesced_group& group, unsigned n);
    friend coalesced_group binary_partition(const coalesced_group& group, bool predicate);
    template <class Label>
    friend coalesced_group labeled_partition(const coalesced_group& group, Label label);
    explicit coalesced_group(const thread_group& lanes) : thread_group(lanes) {}

    template <class Label>
    EMULATOR_INLINE coalesced_group with_label(Label label) const {
        const unsigned mask = __match_any_sync(mask_, label), lane = ::emulator::lane_index();
        const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
        const unsigned firsts = __ballot_sync(mask_, lane == first);
        return coalesced_group(mask, detail::count(firsts & ((1u << first) - 1)), detail::count(firsts));
    }
};

/// A tile of lanes of one warp.
template <unsigned Size>
class tile_of_lanes : public coalesced_group {
  public:
    static unsigned thread_rank() { return detail::thread_rank() & (Size - 1); }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }

    // With the source that a shuffle instruction of this width would take.
    template <class T>
    EMULATOR_INLINE T shfl(T value, int source) const {
        return detail::shuffle(mask_, value, ::emulator::shuffle_source(lane(), source, Size));
    }
    template <class T>
    EMULATOR_INLINE T shfl_up(T value, unsigned delta) const {
        return detail::shuffle(mask_, value, ::emulator::shuffle_up_source(lane(), delta, Size));
    }
    template <class T>
    EMULATOR_INLINE T shfl_down(T value, unsigned delta) const {
        return detail::shuffle(mask_, value, ::emulator::shuffle_down_source(lane(), delta, Size));
    }
    template <class T>
    EMULATOR_INLINE T shfl_xor(T value, unsigned bits) const {
        return detail::shuffle(mask_, value, ::emulator::shuffle_xor_source(lane(), static_cast<int>(bits), Size));
    }

  protected:
    tile_of_lanes(unsigned meta_rank, unsigned meta_size)
        : coalesced_group(0xffffffff >> (32 - Size) << (lane() & ~(Size - 1)), meta_rank, meta_size) {}

  private:
    static unsigned lane() { return ::emulator::lane_index(); }
};

/// A tile of several warps. As in CUDA's headers it exchanges values of at most 8 bytes.
template <unsigned Size>
class tile_of_warps {
  public:
    static constexpr unsigned warps = Size / 32;

    EMULATOR_INLINE void sync() const { ::emulator::sync_tile(Size); }
    static unsigned thread_rank() { return detail::thread_rank() & (Size - 1); }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    EMULATOR_INLINE T shfl(T value, unsigned source) const {
        if (thread_rank() == source) put(0, value);
        sync();
        const T result = get<T>(0);
        sync();
        return result;
    }
    EMULATOR_INLINE int any(int predicate) const { return ::emulator::sync_tile(Size, predicate != 0) != 0; }
    EMULATOR_INLINE int all(int predicate) const { return ::emulator::sync_tile(Size, predicate == 0) == 0; }

    /// For algorithms of several steps: what one lane of each warp, that which `brings`, hands to all threads of the
    /// tile.
    template <class T>
    struct OfWarps {
        T values[warps];
    };
    template <class T>
    EMULATOR_INLINE OfWarps<T> exchange(T value, bool brings) const {
        if (brings) put(thread_rank() / 32, value);
        sync();
        OfWarps<T> all;
        for (unsigned warp = 0; warp < warps; ++warp) all.values[warp] = get<T>(warp);
        sync();
        return all;
    }

  protected:
    tile_of_warps(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}

  private:
    template <class T>
    EMULATOR_INLINE static void put(unsigned place, const T& value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t),
                      "tiles of more than 32 threads exchange trivially copyable values of at most 8 bytes");
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        ::emulator::put_into_tile(Size, place, bits);
    }
    template <class T>
    EMULATOR_INLINE static T get(unsigned place) {
        const std::uint64_t bits = ::emulator::get_from_tile(Size, place);
        T value;
        std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
        return value;
    }

    unsigned meta_rank_, meta_size_;
};

template <unsigned Size, class Parent = void>
class thread_block_tile : public std::conditional_t<(Size <= 32), tile_of_lanes<Size>, tile_of_warps<Size>> {
    static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... or 1024 threads");
    using Base = std::conditional_t<(Size <= 32), tile_of_lanes<Size>, tile_of_warps<Size>>;

  public:
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other>& tile) : Base(tile) {}

  private:
    template <unsigned Other, class Whole>
    friend thread_block_tile<Other, Whole> tiled_partition(const Whole&);
    friend thread_block_tile<1> this_thread();

    thread_block_tile(unsigned meta_rank, unsigned meta_size) : Base(meta_rank, meta_size) {}
};

// ---------------------------------------------------------------------------------------------------- making groups

inline grid_group this_grid() {
    return {};
}
inline cluster_group this_cluster() {
    return {};
}
inline thread_block this_thread_block() {
    return {};
}
/// The memory that groups of several warps need on some devices.
template <unsigned int max_block_size = 1024>
struct block_tile_memory {
    static_assert(max_block_size <= 1024 && (max_block_size & (max_block_size - 1)) == 0,
                  "a power of two, and at most 1024");
};
template <unsigned int max_block_size>
inline thread_block this_thread_block(block_tile_memory<max_block_size>&) {
    return this_thread_block();
}
inline thread_block_tile<1> this_thread() {
    return {0, 1};
}
EMULATOR_INLINE coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

namespace detail {

/// Threads of what may be cut into tiles: a block, or a larger tile.
template <class Whole>
struct most_threads;
template <>
struct most_threads<thread_block> {
    static constexpr unsigned value = 2048;  // a block of 1024 may be one tile
};
template <unsigned Size, class Parent>
struct most_threads<thread_block_tile<Size, Parent>> {
    static constexpr unsigned value = Size;
};

}  // namespace detail

template <unsigned Size, class Whole>
EMULATOR_INLINE thread_block_tile<Size, Whole> tiled_partition(const Whole& whole) {
    static_assert(Size < detail::most_threads<Whole>::value, "a tile is smaller than what it is a part of");
    if constexpr (Size > 32) whole.sync();  // as on a device, which makes the tile's barrier ready
    return {static_cast<unsigned>(whole.thread_rank()) / Size, (static_cast<unsigned>(whole.size()) + Size - 1) / Size};
}

inline thread_group thread_group::part_of_block(unsigned n) {
    if (n == 0 || n > 32 || (n & (n - 1)) != 0) ::emulator::trap();  // as on a device
    const unsigned rank = detail::thread_rank(), begin = rank & ~(n - 1);
    const unsigned left = detail::block_size() - begin, threads = left < n ? left : n;
    return thread_group(0xffffffff >> (32 - threads) << begin % 32, rank / n, (detail::block_size() + n - 1) / n);
}

inline thread_group thread_group::part_of_lanes(unsigned n) const {
    if (n == 0 || n > 32 || (n & (n - 1)) != 0) ::emulator::trap();
    const unsigned all = detail::count(mask_);
    if (all <= n) return *this;
    const unsigned rank = detail::count(mask_ & ((1u << ::emulator::lane_index()) - 1));
    unsigned part = 0, other_rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++other_rank)
        if (other_rank / n == rank / n) part |= rest & -rest;
    return thread_group(part, rank / n, (all + n - 1) / n);
}

/// Parts of 1, 2, 4, 8, 16 or 32 threads.
inline thread_group tiled_partition(const thread_group& group, unsigned n) {
    return group.kind_ == thread_group::Kind::lanes ? group.part_of_lanes(n) : thread_group::part_of_block(n);
}
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned n) {
    return coalesced_group(group.part_of_lanes(n));
}
template <unsigned Size, class Parent>
thread_group tiled_partition(const thread_block_tile<Size, Parent>& tile, unsigned n) {
    return tiled_partition(static_cast<const thread_group&>(tile), n);
}

/// The threads of the group whose predicate is the same.
EMULATOR_INLINE coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
    const unsigned yes = __ballot_sync(group.mask_, predicate);
    if (yes == group.mask_ || yes == 0) return coalesced_group(group.mask_);
    return coalesced_group(predicate ? yes : group.mask_ & ~yes, predicate, 2);
}

/// The threads of the group whose label, an integer or a pointer, is the same.
template <class Label>
EMULATOR_INLINE coalesced_group labeled_partition(const coalesced_group& group, Label label) {
    static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>, "a label is an integer or a pointer");
    if constexpr (std::is_same_v<Label, bool>)
        return binary_partition(group, label);
    else if constexpr (std::is_pointer_v<Label>)
        return group.with_label(reinterpret_cast<unsigned long long>(label));
    else if constexpr (sizeof(Label) < sizeof(int))
        return group.with_label(static_cast<int>(label));
    else
        return group.with_label(label);
}

// -------------------------------------------------------------------------------------------- what any group can do

inline unsigned long long thread_group::size() const {
    switch (kind_) {
        case Kind::block:
            return detail::block_size();
        case Kind::cluster:
            return cluster_group::size();
        case Kind::grid:
            return grid_group::size();
        default:
            return detail::count(mask_);
    }
}

inline unsigned long long thread_group::thread_rank() const {
    switch (kind_) {
        case Kind::block:
            return detail::thread_rank();
        case Kind::cluster:
            return cluster_group::thread_rank();
        case Kind::grid:
            return grid_group::thread_rank();
        default:
            return detail::count(mask_ & ((1u << ::emulator::lane_index()) - 1));
    }
}

EMULATOR_INLINE void thread_group::sync() const {
    switch (kind_) {
        case Kind::block:
            return __syncthreads();
        case Kind::cluster:
            return ::emulator::sync_cluster();
        case Kind::grid:
            return ::emulator::sync_grid();
        default:
            return __syncwarp(mask_);
    }
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
    return group.num_threads();
}

/// One thread of the group calls f(arguments...).
template <class Group, class F, class... A>
EMULATOR_INLINE void invoke_one(const Group& group, F&& f, A&&... arguments) {
    if (group.thread_rank() == 0) static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
}
/// The same, and all of them get the result.
template <class Group, class F, class... A>
EMULATOR_INLINE auto invoke_one_broadcast(const Group& group, F&& f, A&&... arguments) {
    decltype(static_cast<F&&>(f)(static_cast<A&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
    return group.shfl(result, 0);
}

}  // namespace cooperative_groups
