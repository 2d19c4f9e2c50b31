#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdint>

#include "emulator/types.h"
#include "watchdog.h"

namespace emulator {

/// What the watchdog sees of a worker, from its own OS thread, and what it tells the worker.
class WatchedWorker {
  public:
    static constexpr int interruption = SIGURG;  // ignored by default, and by debuggers

    /// Of the calling OS thread, which can be interrupted from now on.
    WatchedWorker();
    ~WatchedWorker();
    WatchedWorker(const WatchedWorker&) = delete;
    WatchedWorker& operator=(const WatchedWorker&) = delete;

    // Called by the worker.

    /// `code`: any of the kernel's.
    void launch_begins(unsigned launch, const void* code);
    void set_in_kernel(bool in_kernel) { in_kernel_ = in_kernel; }
    void be_impatient() { impatient_ = true; }
    void count_progress() { progress_.store(progress() + 1, std::memory_order_relaxed); }
    /// What else than spinning has been done.
    std::uint64_t progress() const { return progress_.load(std::memory_order_relaxed); }
    /// Whether the kernel has run for longer than EMULATOR_TIMEOUT allows, as the watchdog has seen.
    bool is_overdue() const { return overdue_.load(std::memory_order_relaxed); }
    /// Of an instruction's address: not in malloc() and its locks. Known by the first interruption.
    bool is_in_kernels_code(std::uintptr_t code) const;

    // Called by the watchdog.

    /// Whether the OS thread is running a thread of a kernel right now.
    bool in_kernel() const { return in_kernel_; }
    /// Whether the same thread of a kernel has been running since the last call, or the kernel is overdue and no thread
    /// has waited since the last call and seen to that.
    bool shall_be_interrupted();
    /// Whether others shall get their turn soon.
    bool is_impatient() const { return impatient_; }
    /// Has Worker::interrupted() called in the worker's OS thread.
    void interrupt() const { pthread_kill(os_thread_, interruption); }

  private:
    struct Snapshot {
        std::uint64_t progress = 0;
        unsigned launch = 0;
        uint3 thread{}, block{};
    };
    Snapshot look() const;

    // Written by the worker.
    const pthread_t os_thread_;
    const uint3 *const thread_index_, *const block_index_;  // its OS thread's built-in variables
    std::atomic<std::uint64_t> progress_ = 0;
    std::atomic<const void*> any_code_ = nullptr;
    std::atomic<unsigned> launch_ = 0;  // this_launch
    std::atomic<bool> in_kernel_ = false, impatient_ = false;

    // Written by the watchdog, the atomic ones for the worker.
    std::atomic<const CodeRange*> code_ = nullptr;
    std::atomic<bool> overdue_ = false;
    Snapshot last_seen_{};
    long long first_seen_ = 0;
};

/// What begins now, for is_overdue_since().
long long begin_of_limit();
/// Whether what began then has taken more of the processors' time than EMULATOR_TIMEOUT allows, whatever else they do.
bool is_overdue_since(long long begin);

}  // namespace emulator
