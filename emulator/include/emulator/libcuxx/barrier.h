#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "emulator/async_copies.h"
#include "emulator/bulk_copies.h"
#include "emulator/driver_api.h"
#include "emulator/libcuxx/atomic.h"
#include "emulator/mbarrier.h"
#include "emulator/tensor_maps.h"

// <cuda/barrier> of libcu++. One of block scope is what asynchronous copies can be bound to.

namespace cuda {
namespace detail {

struct NoCompletion {
    constexpr void operator()() const noexcept {}
};

template <class Rep, class Period>
auto deadline(const ::std::chrono::duration<Rep, Period>& time) {
    return ::std::chrono::steady_clock::now() + ::std::chrono::duration_cast<::std::chrono::nanoseconds>(time);
}

}  // namespace detail

template <thread_scope Scope, class Completion = detail::NoCompletion>
class barrier {
    static constexpr bool in_block = Scope == thread_scope_block || Scope == thread_scope_thread;
    using Word = ::emulator::BarrierWord<in_block ? 20 : 31>;

  public:
    class arrival_token {
      public:
        arrival_token() = default;
        // Of block scope it is a number with nvcc, and programs keep it as one.
        arrival_token(::std::uint64_t phase) : phase_((phase & 1) != 0) {}
        operator ::std::uint64_t() const { return phase_; }

      private:
        friend barrier;
        bool phase_ = false;
    };

    barrier() = default;
    EMULATOR_ATOMIC_FACE barrier(::std::ptrdiff_t expected, Completion completion = Completion())
        : completion_(completion) {
        initialise(expected);
    }
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;

    static constexpr ::std::ptrdiff_t max() noexcept { return static_cast<::std::ptrdiff_t>(Word::most); }

    friend EMULATOR_ATOMIC_FACE void init(barrier* b, ::std::ptrdiff_t expected) { b->initialise(expected); }
    friend EMULATOR_ATOMIC_FACE void init(barrier* b, ::std::ptrdiff_t expected, Completion completion) {
        new (&b->completion_) Completion(completion);
        b->initialise(expected);
    }

    [[nodiscard]] EMULATOR_ATOMIC_FACE arrival_token arrive(::std::ptrdiff_t n = 1) {
        return arrival_token(arrive(static_cast<::std::uint64_t>(n), 0, 0));
    }
    EMULATOR_ATOMIC_FACE void wait(arrival_token&& token) const { wait_parity(token.phase_); }
    EMULATOR_ATOMIC_FACE void arrive_and_wait() { wait(arrive()); }
    /// Arrives in this phase, and no longer in those that follow.
    EMULATOR_ATOMIC_FACE void arrive_and_drop() { arrive(1, 1, 0); }

    /// Waits for the phases of that parity: 0, 1, 0, …
    EMULATOR_ATOMIC_FACE void wait_parity(bool parity) const {
        while (is_in_phase(parity)) ::emulator::wait_a_turn(this, mbarrier());
        has_waited();
    }
    template <class Time>
    EMULATOR_ATOMIC_FACE bool try_wait_until(arrival_token&& token, const Time& end) const {
        return try_wait_parity_until(token.phase_, end);
    }
    template <class Duration>
    EMULATOR_ATOMIC_FACE bool try_wait_for(arrival_token&& token, const Duration& time) const {
        return try_wait_parity_until(token.phase_, detail::deadline(time));
    }
    template <class Duration>
    EMULATOR_ATOMIC_FACE bool try_wait_parity_for(bool parity, const Duration& time) const {
        return try_wait_parity_until(parity, detail::deadline(time));
    }
    template <class Time>
    EMULATOR_ATOMIC_FACE bool try_wait_parity_until(bool parity, const Time& end) const {
        while (!is_over(parity))
            if (Time::clock::now() >= end) return false;
        return true;
    }

    // For what is built on it.
    EMULATOR_ATOMIC_FACE bool arrive(::std::uint64_t n, ::std::uint64_t dropped, ::std::int64_t copies) {
        if constexpr (in_block)
            ::emulator::check_barrier(this, sizeof word_, ::emulator::BarrierUse::arrive);
        else
            ::emulator::atomics::begin(&word_, __NV_ATOMIC_ACQ_REL, Scope);
        const Word before = change(n, dropped, copies);
        if (before.missing < n) ::emulator::trap("arrived at a barrier in which all that it expects had arrived");
        Word after = before;
        after.missing -= n;
        after.copies += copies;
        if (!::std::is_same_v<Completion, detail::NoCompletion> && after.is_over()) {
            complete();
            has_waited();
            completion_();
            if constexpr (in_block) ::emulator::check_barrier(this, sizeof word_, ::emulator::BarrierUse::arrive);
            finish();
        }
        return before.phase;
    }
    ::std::uint64_t* native_handle() { return &word_; }
    static constexpr bool takes_copies = Scope == thread_scope_block;

  private:
    EMULATOR_ATOMIC_FACE void initialise(::std::ptrdiff_t expected) {
        if constexpr (in_block) ::emulator::check_barrier(this, sizeof word_, ::emulator::BarrierUse::init);
        const auto n = static_cast<::std::uint64_t>(expected);
        word_ = n << 1 | n << (1 + (in_block ? 20 : 31));
    }

    // What was there before. The last one to come begins the next phase, if there is no completion to be done before.
    EMULATOR_UNCHECKED Word change(::std::uint64_t n, ::std::uint64_t dropped, ::std::int64_t copies) {
        const ::emulator::Uninterrupted here;
        const ::std::uint64_t before = ::emulator::atomics::update(&word_, [=](::std::uint64_t old) {
            Word word(old);
            word.missing -= n;
            word.expected -= dropped;
            word.copies += copies;
            const bool goes_on = ::std::is_same_v<Completion, detail::NoCompletion> && word.is_over();
            return (goes_on ? word.next() : word).word();
        });
        Word after(before);
        after.missing -= n;
        after.copies += copies;
        if (::std::is_same_v<Completion, detail::NoCompletion> && after.is_over()) complete();
        return Word(before);
    }
    EMULATOR_UNCHECKED void finish() {
        const ::emulator::Uninterrupted here;
        complete();
        ::emulator::atomics::update(&word_, [](::std::uint64_t old) { return Word(old).next().word(); });
    }
    EMULATOR_UNCHECKED void complete() {
        if constexpr (in_block) ::emulator::check_barrier(this, sizeof word_, ::emulator::BarrierUse::complete);
        ::emulator::note_progress();
    }

    // What a report may say more of.
    EMULATOR_UNCHECKED const ::std::uint64_t* mbarrier() const { return in_block ? &word_ : nullptr; }
    EMULATOR_UNCHECKED bool is_in_phase(bool parity) const {
        return Word(__atomic_load_n(&word_, __ATOMIC_SEQ_CST)).phase == parity;
    }
    EMULATOR_ATOMIC_FACE bool is_over(bool parity) const {
        if (is_in_phase(parity)) {
            ::emulator::wait_a_turn(nullptr, mbarrier());
            if (is_in_phase(parity)) return false;
        }
        has_waited();
        return true;
    }
    EMULATOR_ATOMIC_FACE void has_waited() const {
        if constexpr (in_block)
            ::emulator::check_barrier(this, sizeof word_, ::emulator::BarrierUse::waited);
        else
            ::emulator::atomics::ordered_load(&word_, __NV_ATOMIC_ACQUIRE, Scope);
    }

    ::std::uint64_t word_;
    [[no_unique_address]] Completion completion_;
};

namespace std {
template <class Completion = ::cuda::detail::NoCompletion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}

// ----------------------------------------------------------------------------------------- copies bound to a barrier

/// A number of bytes; the addresses are multiples of Align, and so is it.
template <::std::size_t Align>
struct aligned_size_t {
    static constexpr ::std::size_t align = Align;
    ::std::size_t value;
    constexpr explicit aligned_size_t(::std::size_t bytes) : value(bytes) {}
    constexpr operator ::std::size_t() const { return value; }
};

namespace detail {

struct OneThread {
    static constexpr unsigned size() { return 1; }
    static constexpr unsigned thread_rank() { return 0; }
};

}  // namespace detail

/// The threads of the group copy together. The phase in which the barrier is ends when the copy is done, too.
template <class Group, thread_scope Scope, class Completion>
EMULATOR_INLINE void memcpy_async(const Group& group, void* to, const void* from, ::std::size_t bytes,
                                  barrier<Scope, Completion>& b) {
    if constexpr (barrier<Scope, Completion>::takes_copies)
        ::emulator::copy_async_together(group, to, from, bytes, &b);
    else
        for (::std::size_t i = group.thread_rank(); i < bytes; i += group.size())
            static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
}
template <thread_scope Scope, class Completion>
EMULATOR_INLINE void memcpy_async(void* to, const void* from, ::std::size_t bytes, barrier<Scope, Completion>& b) {
    ::cuda::memcpy_async(detail::OneThread(), to, from, bytes, b);
}

namespace device {

using BlockBarrier = barrier<thread_scope_block>;

template <class Completion>
EMULATOR_INLINE ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block, Completion>& b) {
    return b.native_handle();
}
/// So many bytes are still to come in this phase.
EMULATOR_INLINE void barrier_expect_tx(BlockBarrier& b, ::std::ptrdiff_t bytes) {
    ::emulator::mbarrier::expect_tx(b.native_handle(), static_cast<::std::uint64_t>(bytes));
}
[[nodiscard]] EMULATOR_INLINE BlockBarrier::arrival_token barrier_arrive_tx(BlockBarrier& b, ::std::ptrdiff_t n,
                                                                            ::std::ptrdiff_t bytes) {
    barrier_expect_tx(b, bytes);
    return b.arrive(n);
}
/// One thread copies, and the barrier is told of the bytes that have come.
template <::std::size_t Align>
EMULATOR_INLINE void memcpy_async_tx(void* to, const void* from, aligned_size_t<Align> bytes, BlockBarrier& b) {
    static_assert(Align >= 16, "memcpy_async_tx: at multiples of 16 bytes");
    ::emulator::copy_bulk(to, from, bytes.value, b.native_handle());
}

namespace experimental {

EMULATOR_INLINE void cp_async_bulk_global_to_shared(void* to, const void* from, ::std::uint32_t bytes,
                                                    BlockBarrier& b) {
    ::emulator::copy_bulk(to, from, bytes, b.native_handle());
}
EMULATOR_INLINE void cp_async_bulk_shared_to_global(void* to, const void* from, ::std::uint32_t bytes) {
    ::emulator::copy_bulk_to_global(to, from, bytes);
}
EMULATOR_INLINE void cp_async_bulk_tensor_1d_global_to_shared(void* to, const CUtensorMap* map, int c0,
                                                              BlockBarrier& b) {
    ::emulator::copy_tensor(to, map, {{c0}}, b.native_handle());
}
EMULATOR_INLINE void cp_async_bulk_tensor_1d_shared_to_global(const CUtensorMap* map, int c0, const void* from) {
    ::emulator::copy_tensor_to_global(map, {{c0}}, from);
}
EMULATOR_INLINE void cp_async_bulk_tensor_2d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1,
                                                              BlockBarrier& b) {
    ::emulator::copy_tensor(to, map, {{c0, c1}}, b.native_handle());
}
EMULATOR_INLINE void cp_async_bulk_tensor_2d_shared_to_global(const CUtensorMap* map, int c0, int c1,
                                                              const void* from) {
    ::emulator::copy_tensor_to_global(map, {{c0, c1}}, from);
}
EMULATOR_INLINE void cp_async_bulk_tensor_3d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1, int c2,
                                                              BlockBarrier& b) {
    ::emulator::copy_tensor(to, map, {{c0, c1, c2}}, b.native_handle());
}
EMULATOR_INLINE void cp_async_bulk_tensor_3d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2,
                                                              const void* from) {
    ::emulator::copy_tensor_to_global(map, {{c0, c1, c2}}, from);
}
EMULATOR_INLINE void cp_async_bulk_tensor_4d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1, int c2,
                                                              int c3, BlockBarrier& b) {
    ::emulator::copy_tensor(to, map, {{c0, c1, c2, c3}}, b.native_handle());
}
EMULATOR_INLINE void cp_async_bulk_tensor_4d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2, int c3,
                                                              const void* from) {
    ::emulator::copy_tensor_to_global(map, {{c0, c1, c2, c3}}, from);
}
EMULATOR_INLINE void cp_async_bulk_tensor_5d_global_to_shared(void* to, const CUtensorMap* map, int c0, int c1, int c2,
                                                              int c3, int c4, BlockBarrier& b) {
    ::emulator::copy_tensor(to, map, {{c0, c1, c2, c3, c4}}, b.native_handle());
}
EMULATOR_INLINE void cp_async_bulk_tensor_5d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2, int c3,
                                                              int c4, const void* from) {
    ::emulator::copy_tensor_to_global(map, {{c0, c1, c2, c3, c4}}, from);
}
EMULATOR_INLINE void cp_async_bulk_commit_group() {
    ::emulator::commit_bulk_copies();
}
template <int Prior>
EMULATOR_INLINE void cp_async_bulk_wait_group_read() {
    ::emulator::wait_for_bulk_copies(Prior, true);
}
EMULATOR_INLINE void fence_proxy_async_shared_cta() {
    ::emulator::check_proxy_fence();
}

}  // namespace experimental
}  // namespace device
}  // namespace cuda
