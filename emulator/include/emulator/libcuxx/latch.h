#pragma once

#include <cstddef>

#include "emulator/libcuxx/atomic.h"

// <cuda/latch> of libcu++: threads wait until a count has come to zero.

namespace cuda {

template <thread_scope Scope>
class latch {
  public:
    EMULATOR_ATOMIC_FACE constexpr explicit latch(::std::ptrdiff_t expected) : missing_(expected) {}
    latch(const latch&) = delete;
    latch& operator=(const latch&) = delete;

    static constexpr ::std::ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

    EMULATOR_ATOMIC_FACE void count_down(::std::ptrdiff_t n = 1) {
        if (missing().fetch_sub(n, memory_order_release) < n)
            ::emulator::trap("counted a latch down to less than zero");
    }
    EMULATOR_ATOMIC_FACE bool try_wait() const { return missing().load(memory_order_acquire) == 0; }
    EMULATOR_ATOMIC_FACE void wait() const {
        while (!try_wait())
            while (is_closed()) ::emulator::wait_a_turn(this);
    }
    EMULATOR_ATOMIC_FACE void arrive_and_wait(::std::ptrdiff_t n = 1) {
        count_down(n);
        wait();
    }

  private:
    atomic_ref<::std::ptrdiff_t, Scope> missing() const { return atomic_ref<::std::ptrdiff_t, Scope>(missing_); }
    EMULATOR_UNCHECKED bool is_closed() const { return __atomic_load_n(&missing_, __ATOMIC_SEQ_CST) != 0; }

    mutable ::std::ptrdiff_t missing_;
};

namespace std {
using latch = ::cuda::latch<thread_scope_system>;
}
}  // namespace cuda
