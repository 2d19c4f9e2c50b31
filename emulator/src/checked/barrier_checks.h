#pragma once

#include <cstdint>

#include "launch.h"

namespace emulator {

struct ResidentBlock;

/// All threads of a block have to come to each __syncthreads(), and all to the same one.
class BarrierChecks {
  public:
    explicit BarrierChecks(const CheckedLaunch& launch) : launch_(launch) {}

    void thread_arrives(const ResidentBlock& block, std::uintptr_t code);
    void barrier_opens(const ResidentBlock& block);

  private:
    const CheckedLaunch& launch_;
};

}  // namespace emulator
