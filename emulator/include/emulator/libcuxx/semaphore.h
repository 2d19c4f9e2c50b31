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

    EMULATOR_ATOMIC_FACE void release(::std::ptrdiff_t n = 1) { permits_.fetch_add(n, memory_order_release); }
    EMULATOR_ATOMIC_FACE bool try_acquire() {
        ::std::ptrdiff_t permits = permits_.load(memory_order_relaxed);
        while (permits > 0)
            if (permits_.compare_exchange_weak(permits, permits - 1, memory_order_acquire, memory_order_relaxed))
                return true;
        return false;
    }
    EMULATOR_ATOMIC_FACE void acquire() {
        while (!try_acquire()) ::emulator::wait_a_turn();
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
    atomic<::std::ptrdiff_t, Scope> permits_;
};

template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
template <::std::ptrdiff_t Most = PTRDIFF_MAX>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = counting_semaphore<1>;
}  // namespace std
}  // namespace cuda
