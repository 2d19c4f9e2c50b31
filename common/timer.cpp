#include "common/timer.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "common/capability.h"
#include "common/check.h"
#include "common/device_buffer.h"

namespace {

constexpr double shortest_sample = 200e-6;  // seconds; the clock of events has a resolution of about 0.5 µs

class Event {
  public:
    Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record() { CUDA_CHECK(cudaEventRecord(event_)); }

    double seconds_since(const Event& start) const {
        CUDA_CHECK(cudaEventSynchronize(event_));
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start.event_, event_));
        return milliseconds * 1e-3;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median_of_samples(const std::function<double()>& sample, int repeats) {
    const double enough = long_enough(), start = now();
    std::vector<double> samples;
    do samples.push_back(sample());
    while (static_cast<int>(samples.size()) < repeats && now() - start < enough);
    return median(std::move(samples));
}

std::size_t l2_bytes() {
    int device = 0, bytes = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    return std::max(bytes, 1 << 20);
}

}  // namespace

double long_enough() {
    return on_emulator() ? 0.1 : 0.5;
}

double median(std::vector<double> samples) {
    const auto middle = samples.begin() + samples.size() / 2;
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

double gpu_seconds(const std::function<void()>& work, Timing timing, const std::function<void(double)>& after_warm_up) {
    Event start, stop;
    const auto time_calls = [&](int calls) {
        start.record();
        for (int i = 0; i < calls; ++i) work();
        stop.record();
        return stop.seconds_since(start);
    };

    double seconds = time_calls(1);  // The warm-up: the first launch also loads the kernel.
    if (after_warm_up) after_warm_up(seconds);
    if (timing.repeats == 1 && !timing.cold_l2) return time_calls(1);
    // On a GPU a first call may also set up a library: NCCL takes more than half a second.
    if (seconds > (on_emulator() ? 1 : 10) * long_enough()) return seconds;
    if (timing.cold_l2) {
        DeviceBuffer<unsigned char> flush(3 * l2_bytes());
        return median_of_samples(
            [&] {
                CUDA_CHECK(cudaMemset(flush.data(), 0, flush.size()));
                return time_calls(1);
            },
            timing.repeats);
    }

    int calls = 1;
    seconds = time_calls(1);  // again, without what only a first launch takes: else short work is taken for long
    for (int i = 0; i < 2 && seconds < 10 * shortest_sample; ++i)  // and twice more: something may have disturbed it
        seconds = std::min(seconds, time_calls(1));
    while (seconds < shortest_sample && calls < 1'000'000) {
        const double per_call = std::max(seconds / calls, 1e-9);
        calls = std::clamp(static_cast<int>(1.2 * shortest_sample / per_call), 2 * calls, 1'000'000);
        seconds = time_calls(calls);
    }
    return median_of_samples([&] { return time_calls(calls) / calls; }, timing.repeats);
}

double host_seconds(const std::function<void()>& work, Timing timing) {
    const auto sample = [&] {
        const double start = now();
        work();
        return now() - start;
    };
    const double warm_up = sample();
    return warm_up > long_enough() ? warm_up : median_of_samples(sample, timing.repeats);
}

double copy_bandwidth() {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    // Less memory on the emulator: its times say nothing about a GPU, and the first use of memory is slow there.
    const std::size_t bytes = std::min((on_emulator() ? 1 : 20) * l2_bytes(), free / 64);
    DeviceBuffer<unsigned char> from(bytes), to(bytes);
    from.poison();
    const double seconds = gpu_seconds(
        [&] { CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice)); }, {.repeats = 9});
    return 2.0 * bytes / seconds;
}
