#pragma once

#include <chrono>
#include <cstddef>

#include "emulator/libcuxx/atomic.h"

// <cuda/semaphore> of libcu++: as many threads at a time as there are permits.

namespace cuda {

template <thread_scope Scope, ::std::ptrdiff_t Most = PTRDIFF_MAX>
class counting_semaphore {
  public:
    EMULATOR_ATOMIC_FACE constexpr explicit counting_semaphore(::std::ptrdiff_t permits = 0) : permits_(permits) {}
    counting_semaphore(const counting_semaphore&) = delete;
    counting_semaphore& operator=(const counting_semaphore&) = delete;

    static constexpr ::std::ptrdiff_t max() noexcept { return Most; }

    EMULATOR_ATOMIC_FACE void release(::std::ptrdiff_t n = 1) { permits().fetch_add(n, memory_order_release); }
    EMULATOR_ATOMIC_FACE bool try_acquire() {
        ::std::ptrdiff_t left = permits().load(memory_order_relaxed);
        while (left > 0)
            if (permits().compare_exchange_weak(left, left - 1, memory_order_acquire, memory_order_relaxed))
                return true;
        return false;
    }
    EMULATOR_ATOMIC_FACE void acquire() {
        while (!try_acquire())
            while (is_closed()) ::emulator::wait_a_turn(this);
    }
    template <class Time>
    EMULATOR_ATOMIC_FACE bool try_acquire_until(const Time& end) {
        while (!try_acquire()) {
            if (Time::clock::now() >= end) return false;
            ::emulator::wait_a_turn();
        }
        return true;
    }
    template <class Rep, class Period>
    EMULATOR_ATOMIC_FACE bool try_acquire_for(const ::std::chrono::duration<Rep, Period>& time) {
        return try_acquire_until(::std::chrono::steady_clock::now() + time);
    }

  private:
    atomic_ref<::std::ptrdiff_t, Scope> permits() const { return atomic_ref<::std::ptrdiff_t, Scope>(permits_); }
    EMULATOR_UNCHECKED bool is_closed() const { return __atomic_load_n(&permits_, __ATOMIC_SEQ_CST) == 0; }

    mutable ::std::ptrdiff_t permits_;
};

template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
template <::std::ptrdiff_t Most = PTRDIFF_MAX>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = counting_semaphore<1>;
}  // namespace std
}  // namespace cuda
