#pragma once

#include "block.h"
#include "emulator/warp.h"
#include "kernel_failure.h"
#include "watched_worker.h"

namespace emulator {

/// How the lanes of a warp that wait in an operation get their results and go on: all that the operation is for, or
/// those that are left when no thread of the block can go on otherwise.
class WarpOperations {
  public:
    WarpOperations(WatchedWorker& watched, KernelFailure& failure) : watched_(watched), failure_(failure) {}

    /// Turns what the lanes have brought into their results, all at once: those that go on first may soon bring new
    /// values.
    void complete(ResidentBlock& block, Warp& warp, WarpOperation operation, unsigned lanes);

    /// Operations that had waited for lanes that have ended.
    void release_stuck(ResidentBlock& block, Warp& warp);

    /// The lanes at the first of the places in the program's text go on: the others wait there for them to come along,
    /// as on a device whose warps run together again where their ways meet.
    void release_lockstep(ResidentBlock& block, Warp& warp);

    /// Of several places the first in the code is served, as release_lockstep() does: the lanes in a branch come first,
    /// those that went around it wait for them behind it.
    void release_active_lanes(ResidentBlock& block, Warp& warp);

  private:
    void require_whole_warp(ResidentBlock& block, const Warp& warp, unsigned lanes);

    WatchedWorker& watched_;
    KernelFailure& failure_;
};

}  // namespace emulator
