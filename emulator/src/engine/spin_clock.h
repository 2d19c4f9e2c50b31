#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "emulator/intrinsics.h"
#include "grid.h"
#include "watched_worker.h"

namespace emulator {

/// For how long nothing has been done in the whole grid but spinning, as a worker sees it.
class SpinClock {
  public:
    void launch_begins() { progress_ = never; }

    double seconds(const Grid& grid) {
        using namespace std::chrono;
        const auto now = steady_clock::now();
        std::uint64_t progress = std::min(grid.next_block.load(), grid.blocks);
        for (const std::atomic<WatchedWorker*>& worker : grid.workers)
            if (const WatchedWorker* w = worker.load()) progress += w->progress();
        if (progress != progress_) {
            progress_ = progress;
            begin_ = now;
            processor_begin_ = 0;
        }
        return duration<double>(now - begin_).count();
    }

    /// Of them, since this was first asked for, those that the worker had a processor for: where other programs want it
    /// as well, who is waited for takes longer. It is asked for late, since a system call costs more than a turn.
    double processor_seconds() {
        const long long now = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        if (processor_begin_ == 0) processor_begin_ = now;
        return static_cast<double>(now - processor_begin_) * 1e-9;
    }

  private:
    static constexpr std::uint64_t never = ~0ull;
    std::uint64_t progress_ = never;  // that of the whole grid, when spinning began
    std::chrono::steady_clock::time_point begin_{};
    long long processor_begin_ = 0;
};

}  // namespace emulator
