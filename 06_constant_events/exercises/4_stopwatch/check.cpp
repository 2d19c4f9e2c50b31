#include "checker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <thread>

using namespace exercise;

using Action = std::function<void()>;

void triple(int* values, int n);
float time_of(const Action& prepare, const Action& work, cudaEvent_t start, cudaEvent_t stop);

namespace {

class Event {
  public:
    explicit Event(unsigned flags = cudaEventDefault) { CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    operator cudaEvent_t() const { return event_; }
    void record() { CUDA_CHECK(cudaEventRecord(event_)); }

  private:
    cudaEvent_t event_{};
};

void take_milliseconds(void* milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(*static_cast<int*>(milliseconds)));
}

// Keeps the device busy, as a kernel would.
void keep_the_device_busy(int& milliseconds) {
    CUDA_CHECK(cudaLaunchHostFunc(nullptr, take_milliseconds, &milliseconds));
}

bool was_recorded(cudaEvent_t event) {
    float time = 0;
    const bool recorded = cudaEventElapsedTime(&time, event, event) == cudaSuccess;
    cudaGetLastError();
    return recorded;
}

float milliseconds_between(cudaEvent_t first, cudaEvent_t second) {
    float time = 0;
    CUDA_CHECK(cudaEventElapsedTime(&time, first, second));
    return time;
}

bool in_order(cudaEvent_t first, cudaEvent_t second) {
    return milliseconds_between(first, second) >= 0;
}

// What the answer is given to do. It notes when the answer does it.
class Job {
  public:
    explicit Job(int n) : before_(random_values<int>(n, -1'000'000, 1'000'000)), values_(before_.size()) {
        given_on_device(values_.data(), before_.size() * sizeof(int));
    }
    ~Job() { no_longer_on_device(values_.data()); }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    void prepare() {
        values_.copy_from(before_);
        keep_the_device_busy(preparing_);
        is_fresh_ = true;
        prepared.record();
    }

    void work() {
        if (!is_fresh_) require(false, "work() was called without a prepare() of its own before it");
        is_fresh_ = false;
        began.record();
        if (runs++ == 0) keep_the_device_busy(loading_);
        triple(values_.data(), static_cast<int>(before_.size()));
        keep_the_device_busy(working_);
        ended.record();
    }

    void require_tripled() const {
        std::vector<int> expected;
        for (const int value : before_) expected.push_back(3 * value);
        require_same("values", values_.to_host(), expected);
    }

    Event prepared, began, ended;  // the last time
    int runs = 0;

  private:
    const std::vector<int> before_;
    DeviceBuffer<int> values_;
    bool is_fresh_ = false;
    int preparing_ = 5, loading_ = 5, working_ = 2;  // milliseconds
};

// The least milliseconds between the marks and the work, of all calls: they are short unless the answer waits there.
float least_before = 1e9f, least_behind = 1e9f;

void time_and_compare(int n) {
    Job job(n);
    Event start, stop, returned;
    const float got = time_of([&] { job.prepare(); }, [&] { job.work(); }, start, stop);
    returned.record();
    if (cudaPeekAtLastError() == cudaErrorNotReady) cudaGetLastError();  // which is no error for one who asks again
    finish();

    require(job.runs > 0, "work() was not called");
    job.require_tripled();
    require(job.runs > 1, "work() was called once only: the first time is slow, and not to be timed");
    require(job.runs == 2, "work() was called " + std::to_string(job.runs) +
                               " times: the first call warms up, and the second and last one is timed");
    require(was_recorded(start), "the event start was not recorded");
    require(was_recorded(stop), "the event stop was not recorded");
    for (const auto& [name, event] : {std::pair{"start", &start}, std::pair{"stop", &stop}})
        require(mark(*event).behind_default, std::string("the event ") + name +
                                                 " was recorded on a stream that does not wait for the default stream, "
                                                 "where work() is: on a GPU it comes at any time");
    require(in_order(job.prepared, start),
            "start was recorded before the last prepare() had ended, so its time is in it");
    require(in_order(start, job.began), "start was recorded after the last work() had begun");
    require(mark(start).waits_before == mark(job.began).waits_before,
            "the host waited for the device between the mark start and work(), and meanwhile the device had no work");
    require(in_order(job.ended, stop), "stop was recorded before the last work() had ended");
    require(mark(stop).waits_before == mark(job.ended).waits_before,
            "the host waited for the device between work() and the mark stop, and meanwhile the device had no work");
    require(in_order(stop, returned), "stop was recorded after time_of() had returned");
    const float time = milliseconds_between(start, stop);
    require(std::abs(got - time) <= 1e-3f * time, "time_of() returned " + std::to_string(got) +
                                                      ", and the events say " + std::to_string(time) + " milliseconds");
    least_before = std::min(least_before, milliseconds_between(start, job.began));
    least_behind = std::min(least_behind, milliseconds_between(job.ended, stop));
}

// An answer that sleeps between its marks does so each time; a host that is busy with something else does not.
void require_nothing_but_work() {
    constexpr float most = 0.3f;
    require(least_before <= most, "the device waited for " + std::to_string(least_before) +
                                      " milliseconds or more between the mark start and work(), in each call");
    require(least_behind <= most, "the device waited for " + std::to_string(least_behind) +
                                      " milliseconds or more between work() and the mark stop, in each call");
}

// Events of this kind cannot tell the time, and who does not ask whether they did has none.
void time_without_timing() {
    Job job(257);
    Event start(cudaEventDisableTiming), stop(cudaEventDisableTiming);
    bool thrown = false;
    try {
        time_of([&] { job.prepare(); }, [&] { job.work(); }, start, stop);
    } catch (const std::exception&) {
        thrown = true;
    }
    cudaGetLastError();  // the one that was thrown
    finish();
    require(thrown, "the events could not tell the time, and time_of() returned one: it did not check that it got it");
}

}  // namespace

void check() {
    for_sizes({0, 1, 255, 257, 1009, 10'000}, time_and_compare);
    if (least_before < 1e9f) require_nothing_but_work();  // not where one case is run alone
    for_case("events that cannot tell the time", time_without_timing);
}

void counted() {
    time_and_compare(1 << 14);
}
