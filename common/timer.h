#pragma once

#include <functional>
#include <vector>

/// How to time a piece of GPU work.
struct Timing {
    int repeats = 15;      ///< samples; their median counts
    bool cold_l2 = false;  ///< replace the contents of the L2 cache before each sample
};

/// Seconds after which no further sample starts: half a second, and less on the emulator, whose times say nothing about
/// a GPU.
double long_enough();

/// Seconds that one call of `work` takes on the GPU: the median of several samples, after a warm-up. `work` queues
/// kernels or copies on the default stream.
/// - A sample is as many calls between two events as it takes to fill 0.2 ms, since the clock is too coarse for a
///   single kernel of 3 µs. Calls after the warm-up say how many. With a cold L2 cache, or with one sample only, a
///   sample is one call.
/// - Long work gets fewer samples: no new one starts after long_enough(). If the warm-up takes longer than that (on a
///   GPU ten times that), its time is the result. With `repeats` = 1 and a warm L2 cache there are always two calls:
///   the warm-up and the sample.
/// - `after_warm_up`, if given, is called with the warm-up's time when it has ended, and can look at its output.
/// Throws cuda_error.
double gpu_seconds(const std::function<void()>& work, Timing timing = {},
                   const std::function<void(double seconds)>& after_warm_up = {});

/// Seconds that one call of `work` takes by the host's clock: the median, as above. Work on the GPU counts only if
/// `work` waits for it.
double host_seconds(const std::function<void()>& work, Timing timing = {});

/// The middle one of these samples, of which there is at least one; of an even number the larger of the two.
double median(std::vector<double> samples);

/// Measures a device-to-device copy that is too large for the L2 cache: bytes read and written per second.
double copy_bandwidth();
