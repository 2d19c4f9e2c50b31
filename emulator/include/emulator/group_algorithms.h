#pragma once

#include <type_traits>

#include "emulator/cooperative_groups.h"

// Reductions and scans of tiles and of coalesced groups. They combine in the order in which CUDA's headers do, so that
// sums of floats round alike.
namespace cooperative_groups {

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

template <class Group>
inline constexpr bool is_of_warps = false;
template <unsigned Size, class Parent>
inline constexpr bool is_of_warps<thread_block_tile<Size, Parent>> = Size > 32;

template <class Group, class T, class Operation>
T scan_of_warps(const Group& tile, T value, Operation operation, bool exclusive);

/// Each thread gets the values of those before it and its own, put together.
template <class Group, class T, class Operation>
EMULATOR_INLINE T inclusive_scan(const Group& group, T value, Operation operation) {
    if constexpr (is_of_warps<Group>) {
        return scan_of_warps(group, value, operation, false);
    } else {
        const unsigned rank = group.thread_rank();
        for (unsigned distance = 1; distance < group.size(); distance *= 2) {
            const T before = group.shfl_up(value, distance);
            if (distance <= rank) value = operation(value, before);
        }
        return value;
    }
}
template <class Group, class T>
EMULATOR_INLINE T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

/// The same without its own: for the first thread T().
template <class Group, class T, class Operation>
EMULATOR_INLINE T exclusive_scan(const Group& group, T value, Operation operation) {
    if constexpr (is_of_warps<Group>) {
        return scan_of_warps(group, value, operation, true);
    } else {
        const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
        return group.thread_rank() == 0 ? T() : before;
    }
}
template <class Group, class T>
EMULATOR_INLINE T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

/// Of a tile of several warps: each is scanned, and then their sums are.
template <class Group, class T, class Operation>
EMULATOR_INLINE T scan_of_warps(const Group& tile, T value, Operation operation, bool exclusive) {
    const auto lanes = tiled_partition<32>(tile);
    const unsigned lane = lanes.thread_rank(), warp = tile.thread_rank() / 32;
    T scanned = inclusive_scan(lanes, value, operation);
    auto sums = tile.exchange(scanned, lane == 31);
    if (exclusive) scanned = lanes.shfl_up(scanned, 1);
    for (unsigned distance = 1; distance < tile.warps; distance *= 2)
        for (unsigned i = tile.warps - 1; i >= distance; --i)
            sums.values[i] = operation(sums.values[i], sums.values[i - distance]);
    const T before = warp == 0 ? T() : sums.values[warp - 1];
    if (exclusive && lane == 0) return before;
    return warp == 0 ? scanned : operation(scanned, before);
}

/// The values of all threads of the group, put together, for each of them.
template <unsigned Size, class Parent, class T, class Operation>
EMULATOR_INLINE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    if constexpr (Size <= 32) {
        for (unsigned bits = Size / 2; bits > 0; bits /= 2) value = operation(value, tile.shfl_xor(value, bits));
        return value;
    } else {
        const auto lanes = tiled_partition<32>(tile);
        const T of_warp = reduce(lanes, value, operation);
        auto all = tile.exchange(of_warp, lanes.thread_rank() == 0);
        for (unsigned bits = tile.warps / 2; bits > 0; bits /= 2) {
            const auto before = all;
            for (unsigned warp = 0; warp < tile.warps; ++warp)
                all.values[warp] = operation(before.values[warp], before.values[warp ^ bits]);
        }
        return all.values[tile.thread_rank() / 32];
    }
}
template <class T, class Operation>
EMULATOR_INLINE T reduce(const coalesced_group& group, T value, Operation operation) {
    const unsigned threads = group.size(), rank = group.thread_rank();
    if (threads == 32) {
        for (unsigned bits = 16; bits > 0; bits /= 2)
            value = operation(value, group.shfl(value, static_cast<int>(rank ^ bits)));
        return value;
    }
    return group.shfl(inclusive_scan(group, value, operation), static_cast<int>(threads - 1));
}

/// The result goes to *to, written by one thread of the group. Other threads may read it after a barrier.
template <class Group, class T, class Operation>
EMULATOR_INLINE void reduce_store_async(const Group& group, T* to, T value, Operation operation) {
    const T result = reduce(group, value, operation);
    if (group.thread_rank() == 0) *to = result;
}

namespace atomic_updates {

/// Converts to the relaxed order of cuda::std, whose header nobody has to include here.
struct Relaxed {
    template <class Order, class = std::enable_if_t<std::is_enum_v<Order>>>
    operator Order() const {
        return Order{};
    }
};

template <class Atomic>
using Value = typename std::remove_reference_t<Atomic>::value_type;

/// *to = operation(*to, value), of a cuda::atomic or cuda::atomic_ref. Returns what was there.
template <class Atomic, class Operation>
EMULATOR_INLINE Value<Atomic> update(Atomic&& to, Value<Atomic> value, Operation operation) {
    using T = Value<Atomic>;
    constexpr Relaxed relaxed;
    if constexpr (std::is_same_v<Operation, plus<T>>) {
        return to.fetch_add(value, relaxed);
    } else {
        T old = to.load(relaxed);
        while (!to.compare_exchange_weak(old, operation(old, value), relaxed)) {
        }
        return old;
    }
}

/// The last thread of the group updates the atomic variable with the values of all. Returns to each what was there.
template <class Group, class Atomic, class Operation>
EMULATOR_INLINE Value<Atomic> update_by_last(const Group& group, Atomic&& to, Value<Atomic> all, Operation operation) {
    const unsigned last = group.size() - 1;
    Value<Atomic> old{};
    if (group.thread_rank() == last) old = update(to, all, operation);
    return group.shfl(old, static_cast<int>(last));
}

}  // namespace atomic_updates

/// The values of all threads of the group are added to an atomic variable. Each thread gets what was there before, with
/// the values of those before it and its own.
template <class Group, class Atomic, class T = atomic_updates::Value<Atomic>, class Operation = plus<T>>
EMULATOR_INLINE T inclusive_scan_update(const Group& group, Atomic&& to, atomic_updates::Value<Atomic> value,
                                        Operation operation = {}) {
    const T scanned = inclusive_scan(group, value, operation);
    return operation(atomic_updates::update_by_last(group, to, scanned, operation), scanned);
}

/// The same without its own: so threads get places in a buffer.
template <class Group, class Atomic, class T = atomic_updates::Value<Atomic>, class Operation = plus<T>>
EMULATOR_INLINE T exclusive_scan_update(const Group& group, Atomic&& to, atomic_updates::Value<Atomic> value,
                                        Operation operation = {}) {
    const T before = exclusive_scan(group, value, operation);
    const T old = atomic_updates::update_by_last(group, to, operation(before, value), operation);
    return is_of_warps<Group> && group.thread_rank() == 0 ? old : operation(old, before);
}

/// The values of all threads of the group are put together and added to an atomic variable by one of them.
template <class Group, class Atomic, class Operation>
EMULATOR_INLINE void reduce_update_async(const Group& group, Atomic&& to, atomic_updates::Value<Atomic> value,
                                         Operation operation) {
    const atomic_updates::Value<Atomic> result = reduce(group, value, operation);
    if (group.thread_rank() == 0) atomic_updates::update(to, result, operation);
}
template <class Group, class Atomic, class Operation>
EMULATOR_INLINE void reduce_store_async(const Group& group, Atomic&& to, atomic_updates::Value<Atomic> value,
                                        Operation operation) {
    const atomic_updates::Value<Atomic> result = reduce(group, value, operation);
    if (group.thread_rank() == 0) to.store(result, atomic_updates::Relaxed{});
}

}  // namespace cooperative_groups
