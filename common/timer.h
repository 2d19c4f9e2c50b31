#pragma once

#include <functional>

/// How to time a piece of GPU work.
struct Timing {
    int repeats = 15;      ///< samples, of which the median counts
    bool cold_l2 = false;  ///< read something else through the L2 cache before each sample
};

/// Seconds that one call of `work` takes on the GPU: the median of samples after a warm-up. `work` queues kernels or
/// copies on the default stream. A sample is as many calls between two events as it takes to fill 0.2 ms, so that a
/// kernel of 3 µs is measured and not the clock; with a cold L2, or where it is the only one, it is one call. Long work
/// gets fewer samples: no new one starts after a second (on the emulator, after a tenth of one), and for what takes
/// longer than that the warm-up is the only one, unless one sample was asked for: that is always two calls in all.
/// `after_warm_up`, if there is one, is called when the warm-up has ended, to look at what it left behind. Throws
/// cuda_error.
double gpu_seconds(const std::function<void()>& work, Timing timing = {},
                   const std::function<void()>& after_warm_up = {});

/// Seconds that one call of `work` takes by the host's clock: the median, as above. Work on the GPU counts if `work`
/// waits for it.
double host_seconds(const std::function<void()>& work, Timing timing = {});

/// Bytes per second, read and written, of a device-to-device copy too large for the L2 cache, measured now.
double copy_bandwidth();
