#pragma once

#include <cstdint>

#include "address_checks.h"
#include "happens_before.h"
#include "launch.h"
#include "race_detection.h"

namespace emulator {

/// Bulk copies go to memory by a way of their own, the async proxy. What threads have stored is seen there only behind
/// a fence.proxy.async, of any thread that knows of the store.
class ProxyChecks {
  public:
    ProxyChecks(const CheckedLaunch& launch, HappensBefore& order, const RaceDetection& races)
        : launch_(launch), order_(order), races_(races) {}

    /// The present thread passes one.
    void fence();
    /// A bulk copy, or a wgmma, is about to read from the block's shared memory.
    void source_is_read(ShadowMemory& shadow, const Attempt& read, Access copy,
                        const char* how = "issued a bulk copy that reads it") const;

  private:
    bool is_fenced(Access stored) const;

    const CheckedLaunch& launch_;
    HappensBefore& order_;
    const RaceDetection& races_;
};

}  // namespace emulator
