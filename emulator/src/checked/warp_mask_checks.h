#pragma once

#include <cstdint>
#include <string>

#include "launch.h"

namespace emulator {

/// The mask of a shuffle, vote or __syncwarp() has to name the lanes that come there, all of them.
class WarpMaskChecks {
  public:
    explicit WarpMaskChecks(const CheckedLaunch& launch) : launch_(launch) {}

    // What the present thread does.
    void lane_arrives(CheckedBlock& block, unsigned warp, unsigned mask, std::uintptr_t code);
    void lane_is_not_in_mask(const std::string& operation, std::uintptr_t code);
    void thread_ends();

    void lanes_meet(CheckedBlock& block, unsigned warp, unsigned lanes) { block.in_warp_operation[warp] &= ~lanes; }

    /// By a shuffle.
    void lane_asks_absent(unsigned warp, unsigned lane, unsigned absent, unsigned mask, std::uintptr_t code);

  private:
    void report_absent(unsigned mask, std::uintptr_t code, unsigned absent, unsigned caller);

    const CheckedLaunch& launch_;
};

}  // namespace emulator
