#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "emulator/libcuxx/barrier.h"

// <cuda/pipeline> of libcu++: stages that producers fill by asynchronous copies and consumers use up, in order.

namespace cuda {

enum class pipeline_role { producer, consumer };

/// In shared memory: what the threads of a pipeline have in common.
template <thread_scope Scope, ::std::uint8_t Stages>
class pipeline_shared_state {
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state&) = delete;
    pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

    // Each stage has been filled, and has been used up.
    barrier<Scope> filled[Stages], used[Stages];
    unsigned producers, consumers;
    unsigned threads;  // that have not left
};

template <thread_scope Scope>
class pipeline {
  public:
    pipeline(pipeline&& other)
        : filled_(other.filled_),
          used_(other.used_),
          threads_(::std::exchange(other.threads_, nullptr)),
          stages_(other.stages_),
          head_(other.head_),
          tail_(other.tail_),
          used_parity_(other.used_parity_),
          filled_parity_(other.filled_parity_) {}
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;
    EMULATOR_ATOMIC_FACE ~pipeline() {
        if (threads_ != nullptr) quit();
    }

    EMULATOR_ATOMIC_FACE void producer_acquire() { used_[head_].wait_parity(used_parity_); }
    EMULATOR_ATOMIC_FACE void producer_commit() {
        (void)filled_[head_].arrive();
        if (++head_ == stages_) {
            head_ = 0;
            used_parity_ = !used_parity_;
        }
    }
    EMULATOR_ATOMIC_FACE void consumer_wait() { filled_[tail_].wait_parity(filled_parity_); }
    template <class Duration>
    EMULATOR_ATOMIC_FACE bool consumer_wait_for(const Duration& time) {
        return filled_[tail_].try_wait_parity_for(filled_parity_, time);
    }
    EMULATOR_ATOMIC_FACE void consumer_release() {
        (void)used_[tail_].arrive();
        if (++tail_ == stages_) {
            tail_ = 0;
            filled_parity_ = !filled_parity_;
        }
    }
    /// The thread takes part no longer. Returns whether it was the last one, and nobody uses the shared state any more.
    EMULATOR_ATOMIC_FACE bool quit() { return atomicSub_block(::std::exchange(threads_, nullptr), 1u) == 1; }

    /// The barrier of the stage that is being filled.
    barrier<Scope>& stage() { return filled_[head_]; }

  private:
    template <class Group, thread_scope S, ::std::uint8_t N>
    friend EMULATOR_INLINE pipeline<S> make_pipeline_of(const Group&, pipeline_shared_state<S, N>*, bool, bool);

    pipeline(barrier<Scope>* filled, barrier<Scope>* used, unsigned* threads, unsigned stages)
        : filled_(filled), used_(used), threads_(threads), stages_(stages) {}

    barrier<Scope>*filled_, *used_;
    unsigned* threads_;  // null: this one has left
    unsigned stages_, head_ = 0, tail_ = 0;
    bool used_parity_ = true, filled_parity_ = false;  // of the phases to wait for: at first all stages are used up
};

/// The pipeline of one thread, whose stages are its groups of copies.
template <>
class pipeline<thread_scope_thread> {
  public:
    pipeline() = default;
    pipeline(pipeline&&) = default;
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    void producer_acquire() {}
    EMULATOR_INLINE void producer_commit() {
        ::emulator::check_copies_are_group();
        ++committed_;
    }
    EMULATOR_INLINE void consumer_wait() {
        if (committed_ > released_) ::emulator::check_copies_are_awaited(committed_ - released_ - 1);
    }
    template <class Duration>
    EMULATOR_INLINE bool consumer_wait_for(const Duration&) {
        consumer_wait();
        return true;
    }
    void consumer_release() { ++released_; }
    bool quit() { return true; }

  private:
    ::std::size_t committed_ = 0, released_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() {
    return {};
}

template <class Group, thread_scope Scope, ::std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline_of(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                                 bool produces, bool consumes) {
    if (group.thread_rank() == 0) {
        state->producers = state->consumers = 0;
        state->threads = static_cast<unsigned>(group.size());
    }
    group.sync();
    if (produces) atomicAdd_block(&state->producers, 1u);
    if (consumes) atomicAdd_block(&state->consumers, 1u);
    group.sync();
    if (group.thread_rank() == 0)
        for (unsigned i = 0; i < Stages; ++i) {
            init(&state->filled[i], state->producers);
            init(&state->used[i], state->consumers);
        }
    group.sync();
    return pipeline<Scope>(state->filled, state->used, &state->threads, Stages);
}
/// All threads of the group produce and consume.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
    return make_pipeline_of(group, state, true, true);
}
/// The first threads of the group produce, the others consume.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                              ::std::size_t producers) {
    const bool produces = group.thread_rank() < producers;
    return make_pipeline_of(group, state, produces, !produces);
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
EMULATOR_INLINE pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                              pipeline_role role) {
    return make_pipeline_of(group, state, role == pipeline_role::producer, role == pipeline_role::consumer);
}

/// Waits for all stages that were committed, but for the last Prior.
template <::std::uint8_t Prior>
EMULATOR_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
    ::emulator::check_copies_are_awaited(Prior);
}
/// Who waits for the barrier waits for the thread's copies so far, too. Here they are made at once.
template <thread_scope Scope>
EMULATOR_INLINE void pipeline_producer_commit(pipeline<thread_scope_thread>& p, barrier<Scope>&) {
    p.producer_commit();
    ::emulator::check_copies_are_awaited(0);
}

template <class Group, thread_scope Scope>
EMULATOR_INLINE void memcpy_async(const Group& group, void* to, const void* from, ::std::size_t bytes,
                                  pipeline<Scope>& p) {
    if constexpr (Scope == thread_scope_thread)
        ::emulator::copy_async_together(group, to, from, bytes);
    else
        ::cuda::memcpy_async(group, to, from, bytes, p.stage());
}
template <thread_scope Scope>
EMULATOR_INLINE void memcpy_async(void* to, const void* from, ::std::size_t bytes, pipeline<Scope>& p) {
    ::cuda::memcpy_async(detail::OneThread(), to, from, bytes, p);
}

}  // namespace cuda
