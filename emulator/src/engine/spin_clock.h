#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "grid.h"
#include "watched_worker.h"

namespace emulator {

/// For how long nothing has been done in the whole grid but spinning, as a worker sees it.
class SpinClock {
  public:
    void launch_begins(const Grid& grid) {
        progress_ = 0;
        begin_ = grid.begin;
    }

    double seconds(const Grid& grid) {
        using namespace std::chrono;
        const auto now = steady_clock::now();
        std::uint64_t progress = std::min(grid.next_block.load(), grid.blocks);
        for (const std::atomic<WatchedWorker*>& worker : grid.workers)
            if (const WatchedWorker* w = worker.load()) progress += w->progress();
        if (progress != progress_) {
            progress_ = progress;
            begin_ = now;
        }
        return duration<double>(now - begin_).count();
    }

  private:
    std::uint64_t progress_ = 0;  // that of the whole grid, when spinning began
    std::chrono::steady_clock::time_point begin_{};
};

}  // namespace emulator
