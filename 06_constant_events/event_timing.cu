// Times the same kernels in seven ways, of which some are wrong. Then it shows what the runtime answers about events
// before and after the device has reached them.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/device_buffer.h"
#include "event.h"
#include "harness/command_line.h"
#include "harness/program.h"
#include "harness/table.h"

namespace {

constexpr int long_steps = 200'000, short_steps = 1;

__host__ __device__ float step(float x) {
    return fmaf(x, 0.75f, 1.0f);
}

/// One warp runs a chain of multiply-adds, in which each one waits for the one before. The first launch of a kernel
/// takes longer than all others, so this is a template: each `copy` is another kernel, with a first launch of its own.
template <int copy>
__global__ void work(int steps, float* result) {
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < steps; ++i) x = step(x);
    result[threadIdx.x] = x;
}

/// A kernel with its arguments.
class Work {
  public:
    explicit Work(int steps) : steps_(steps) {}

    template <int copy = 0>
    void launch() {
        work<copy><<<1, threads>>>(steps_, result_.data());
        CUDA_CHECK_LAUNCH();
    }

    /// Throws wrong_result unless the last launch computed what it should.
    void verify() const {
        const std::vector<float> result = result_.to_host();
        for (unsigned t = 0; t < threads; ++t) {
            float expected = static_cast<float>(t);
            for (int i = 0; i < steps_ && expected != step(expected); ++i) expected = step(expected);
            if (result[t] != expected)
                throw wrong_result("the kernel is wrong in thread " + std::to_string(t) + ": expected " +
                                   std::to_string(expected) + ", got " + std::to_string(result[t]));
        }
    }

    void poison() { result_.poison(); }

  private:
    static constexpr unsigned threads = 32;
    int steps_;
    DeviceBuffer<float> result_{threads};
};

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void keep_the_host_busy(double milliseconds) {
    for (const auto start = Clock::now(); milliseconds_since(start) < milliseconds;) {
    }
}

// ---- The ways to time. Each returns milliseconds.

template <class Launch>
double by_cpu_clock_without_synchronisation(const Launch& launch) {
    const auto start = Clock::now();
    launch();
    const double time = milliseconds_since(start);  // wrong: the kernel may not even have begun
    CUDA_CHECK(cudaDeviceSynchronize());
    return time;
}

template <class Launch>
double by_cpu_clock(const Launch& launch) {
    CUDA_CHECK(cudaDeviceSynchronize());  // earlier work must not be running any more
    const auto start = Clock::now();
    launch();
    CUDA_CHECK(cudaDeviceSynchronize());
    return milliseconds_since(start);
}

template <class Launch>
double by_events(const Launch& launch, int launches = 1) {
    Event start, stop;
    CUDA_CHECK(cudaEventRecord(start));
    for (int i = 0; i < launches; ++i) launch();
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float time = 0;
    CUDA_CHECK(cudaEventElapsedTime(&time, start, stop));
    return time / launches;
}

constexpr double host_work = 2;  // milliseconds

template <class Launch>
double by_events_around_host_work(const Launch& launch) {
    return by_events([&] {
        keep_the_host_busy(host_work);  // wrong: the device waits for the kernel, and its clock goes on
        launch();
    });
}

/// The smallest of five times: the one that was disturbed least.
template <class Way>
double smallest(const Way& way) {
    double time = way();
    for (int i = 0; i < 4; ++i) time = std::min(time, way());
    return time;
}

Table show_ways() {
    Work long_work(long_steps), short_work(short_steps);
    long_work.poison();
    short_work.poison();
    CUDA_CHECK(cudaDeviceSynchronize());

    Table table("06_constant_events", "Milliseconds for one launch, by the way of timing it", "way",
                {"long kernel", "short kernel"});
    // Each of these four launches takes a copy of the kernel that has not run yet.
    table.add("first launch: CPU clock, synchronised",
              {by_cpu_clock([&] { long_work.launch<1>(); }), by_cpu_clock([&] { short_work.launch<2>(); })});
    table.add("first launch: events",
              {by_events([&] { long_work.launch<3>(); }), by_events([&] { short_work.launch<4>(); })});

    const auto long_launch = [&] { long_work.launch(); };
    const auto short_launch = [&] { short_work.launch(); };
    const auto both = [&](const char* name, const auto& way) {
        table.add(name, {smallest([&] { return way(long_launch); }), smallest([&] { return way(short_launch); })});
    };
    long_launch();  // the warm-up
    short_launch();
    CUDA_CHECK(cudaDeviceSynchronize());
    both("CPU clock, not synchronised",
         [](const auto& launch) { return by_cpu_clock_without_synchronisation(launch); });
    both("CPU clock, synchronised", [](const auto& launch) { return by_cpu_clock(launch); });
    both("events, and between them 2 ms of work for the host",
         [](const auto& launch) { return by_events_around_host_work(launch); });
    both("events", [](const auto& launch) { return by_events(launch); });
    both("events around 20 launches, divided by 20", [](const auto& launch) { return by_events(launch, 20); });

    long_work.verify();
    short_work.verify();
    return table;
}

// ---- What events answer.

void print(const char* when, const char* call, cudaError_t answer) {
    cudaGetLastError();  // clear the error, so that the next check does not find it
    std::printf("%-29s%-21s%s\n", when, call, cudaGetErrorName(answer));
}

void show_answers() {
    Event start, stop, untimed(cudaEventDisableTiming), never;
    Work work(long_steps);
    float time = 0;
    std::printf("\n%-29s%-21s%s\n", "when", "call", "answer");

    print("the event was never recorded", "cudaEventQuery", cudaEventQuery(never));
    print("", "cudaEventElapsedTime", cudaEventElapsedTime(&time, never, never));

    CUDA_CHECK(cudaEventRecord(start));
    work.launch();
    CUDA_CHECK(cudaEventRecord(stop));
    const cudaError_t query = cudaEventQuery(stop), elapsed = cudaEventElapsedTime(&time, start, stop);
    print("recorded, its kernel running", "cudaEventQuery", query);
    print("", "cudaEventElapsedTime", elapsed);

    CUDA_CHECK(cudaEventSynchronize(stop));
    print("after cudaEventSynchronize", "cudaEventQuery", cudaEventQuery(stop));
    print("", "cudaEventElapsedTime", cudaEventElapsedTime(&time, start, stop));
    print("start and stop swapped", "cudaEventElapsedTime", cudaEventElapsedTime(&time, stop, start));
    std::printf("%-29s%-21s%s\n", "", "", time < 0 ? "a negative time" : "a positive time");

    CUDA_CHECK(cudaEventRecord(untimed));
    CUDA_CHECK(cudaEventSynchronize(untimed));
    print("cudaEventDisableTiming", "cudaEventElapsedTime", cudaEventElapsedTime(&time, start, untimed));
    work.verify();

    if (on_emulator())
        std::printf(
            "\nOn the emulator a launch returns when its kernel has ended, so that nothing is\n"
            "ever \"not ready\", and a clock without synchronisation shows the whole kernel.\n"
            "On a GPU it does not.\n");
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string json;
        CommandLine line("event_timing", "Times the same kernels in right and in wrong ways.");
        line.output_file("--json", json, "Write the times to this file");
        line.parse(argc, argv);

        std::printf("%s\n", device_line().c_str());
        const Table times = show_ways();
        show_answers();
        times.write(json);
    });
}
