#pragma once

// What an exercise's check.cpp is written with: data that no wrong answer survives, and comparisons that tell the judge
// (tools/exercises/judge.py) what was wrong, in a file of their own. A check.cpp defines check() and counted().

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#ifndef HOST_PROGRAM  // without CUDA: see team.h
#include "common/device_buffer.h"
#include "device_work.h"
#endif

/// Calls the answer at all sizes, and compares equally often whatever right answer it is. Written by the exercise.
void check();

/// Calls the answer once, at a round size. What its kernels do there is counted, and held against the limits in
/// task.md. Written by the exercise.
void counted();

namespace exercise {

/// Nothing, one, around a warp and a block, primes, several blocks: never only multiples of the block. The largest is
/// beyond 2^14, which most exercises count at: a grid that is made for that size is too small for it.
inline constexpr int awkward_sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1009, 4096, 20'011};

/// Calls action(n) for all awkward sizes, then for those of the exercise's own, and for some that nobody knows
/// beforehand; twice each, so that what the first call leaves behind spoils the second. A call that keeps device
/// memory, a stream or an event ends the run when all values are right.
void for_each_size(const std::function<void(int n)>& action, std::initializer_list<int> more = {});

/// The same for these sizes, and for some random ones between the least and the largest of them. `data` is what a
/// report says of the case: "n = 33, all values equal".
void for_sizes(const std::vector<int>& sizes, const std::function<void(int n)>& action, const std::string& data = "");

/// Any size from low to high, small ones more often; others in each run, and the same ones with the same SEED. For a
/// case with a size of its own. The number of comparisons must not depend on it.
int random_size(int low, int high);

/// Calls action() twice, in a case of this name. It needs no other: ./lab watch runs the one that fails alone.
void for_case(const std::string& name, const std::function<void()>& action);

/// From now on threads get in each other's way at their atomic operations: what one has read there may have changed
/// when it writes. To be called before the first kernel runs, and not in counted().
void interleave_atomics();

/// From now on what others have written before an atomic operation counts as seen only behind a __threadfence() that
/// follows one's own, as CUDA's memory model has it, and a lock that was taken by an atomic operation is not freed by a
/// plain store. The checked build by itself does not ask for that. To be called before the first kernel runs.
void require_acquire_fences();

/// Whether each launch fails from now on, as if it needed more registers than there are. On the emulator only.
void refuse_launches(bool all);

/// n random values of all that T has; others on each call. For int and unsigned.
template <class T>
std::vector<T> random_values(std::size_t n);

/// n values, no two of them equal, with both signs; others on each call. For float.
template <class T>
std::vector<T> distinct_values(std::size_t n);

/// n random values between 1 and 2 or between -2 and -1; others on each call. For float. A product of two that is left
/// out shows in a sum of thousands.
template <class T>
std::vector<T> similar_values(std::size_t n);

/// n random whole numbers from low to high, both included; others on each call. For int.
template <class T>
std::vector<T> random_values(std::size_t n, T low, T high);

/// n random bytes, in which all values are equally frequent; others on each call.
std::vector<std::uint8_t> random_bytes(std::size_t n);

/// Ends the run unless got == expected in each element. NaN is always wrong.
template <class T>
void require_same(const char* name, const std::vector<T>& got, const std::vector<T>& expected);

/// Ends the run unless |got - expected| <= bound. NaN is always wrong.
void require_near(const char* name, double got, double expected, double bound);

/// Ends the run unless predicted == truth. `name` is the learner's function that predicts. The verdict says whether the
/// prediction is too small or too large, and not what is true. A limit on that kernel proves that `truth` is right.
void require_prediction(const char* name, double predicted, double truth);

/// Ends the run: an input was changed.
template <class T>
void require_unchanged(const char* name, const std::vector<T>& now, const std::vector<T>& before);

/// Ends the run unless it holds: `says` tells what is asked for and what was done. In check() that is wrong, in
/// counted() it is right but not as the task asks for.
void require(bool holds, const std::string& says);

/// A number as a text for require(), with six digits.
std::string shown(double value);

/// Tells the judge something. members: of a JSON object, each with a comma before it.
void tell_judge(const std::string& kind, const std::string& members);

/// Ends the run. kind: what tools/exercises/judge.py knows.
[[noreturn]] void end_run(const std::string& kind, const std::string& says);

/// So many bytes of memory, and behind them a page that nobody may touch.
void* before_a_wall(std::size_t bytes);
void take_down_wall(void* memory, std::size_t bytes);

#ifndef HOST_PROGRAM

/// An array in device memory that the answer may only read. A line declares one: reports take its name from there.
template <class T>
class Input {
  public:
    Input(const char* name, std::vector<T> values)
        : values(std::move(values)), name_(name), buffer_(DeviceBuffer<T>::from_host(this->values)) {
        given_on_device(data(), this->values.size() * sizeof(T));
    }
    ~Input() { no_longer_on_device(data()); }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    const T* data() const { return buffer_.data(); }
    std::vector<T> now() const { return buffer_.to_host(); }
    void require_unchanged() const { exercise::require_unchanged(name_, buffer_.to_host(), values); }

    const std::vector<T> values;

  private:
    const char* name_;
    DeviceBuffer<T> buffer_;
};

/// Values in host memory that the answer may only read. Whoever reads beyond their end crashes.
template <class T>
class HostInput {
  public:
    explicit HostInput(std::vector<T> values) : values(std::move(values)), copy_(before_a_wall(bytes())) {
        std::copy(this->values.begin(), this->values.end(), const_cast<T*>(data()));
    }
    ~HostInput() { take_down_wall(copy_, bytes()); }
    HostInput(const HostInput&) = delete;
    HostInput& operator=(const HostInput&) = delete;

    const T* data() const { return static_cast<const T*>(copy_); }

    const std::vector<T> values;

  private:
    void* copy_;

    std::size_t bytes() const { return values.size() * sizeof(T); }
};

/// An array of n values in device memory that the answer writes. Before that each byte is 0xff: a float NaN.
template <class T>
class Output {
  public:
    Output(const char* name, std::size_t n) : name_(name), buffer_(n) {
        buffer_.poison();
        asked_for_on_device(data(), n * sizeof(T));
    }
    ~Output() { no_longer_on_device(data()); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    T* data() { return buffer_.data(); }
    std::vector<T> values() const { return buffer_.to_host(); }
    void require_same(const std::vector<T>& expected) const { exercise::require_same(name_, values(), expected); }

  private:
    const char* name_;
    DeviceBuffer<T> buffer_;
};

/// Whether the device is the emulator, which this program has for itself: free memory, for one, changes by nobody else.
bool on_emulator();

/// Waits for the answer's kernels; throws cuda_error for one that failed, and for a launch that nobody checked. Ends
/// the run if the answer has not waited for its streams, or has worked on the host: see device_work.h.
void finish();

#endif  // HOST_PROGRAM

}  // namespace exercise
