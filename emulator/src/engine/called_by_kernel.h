#pragma once

#include "emulator/engine.h"

namespace emulator {

/// Uninterrupted for what kernels call and nothing of the engine does: it is the outermost one, and need not remember
/// what was before. At a barrier that is 3 % of the time.
class CalledByKernel {
  public:
    CalledByKernel() {
        uninterruptible = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    ~CalledByKernel() {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        uninterruptible = false;
    }
    CalledByKernel(const CalledByKernel&) = delete;
    CalledByKernel& operator=(const CalledByKernel&) = delete;
};

}  // namespace emulator
