#pragma once

#include <cstddef>

// Whether an answer does its work on the device, and in order: what it moves between host and device, and whether it
// waits for the streams that it makes. All of that is known on the emulator only. The rule for all exercises with
// kernels, which holds in counted():
//
// - At most half of what is given in device memory may come to the host, whatever way it takes. To compute on the host
//   one needs it there; flags, counters and partial sums are small.
// - Where nothing is given in device memory, kernels or cudaMemset() are the last to write each element that is asked
//   for, and the host sends at most half as many bytes. A result that was computed on the host must be brought to the
//   device.
namespace exercise {

/// An array in device memory that the answer is given, or is to fill. Input and Output call these, and what copies the
/// checker has made by then are none of the answer's.
void given_on_device(const void* array, std::size_t bytes);
void asked_for_on_device(const void* array, std::size_t bytes);
void no_longer_on_device(const void* array);

/// The answer is called next, for one that is given no Input and no Output.
void answer_follows();

/// The answer has been called; finish() calls this. Ends the run if nobody has waited for work on a stream, if the
/// device was reset, or if the host has written to a variable of the device by its name; in counted() if the rule is
/// broken.
void answer_is_done();

/// For a result in host memory, in counted(): ends the run unless kernels wrote it and it came from the device. input:
/// bytes of large arrays in host memory that the answer is given, which it may send beside what the rule allows.
void require_from_kernels(const char* name, const void* result, std::size_t bytes, std::size_t input = 0);

/// What is known of an event that was recorded.
struct Mark {
    unsigned long waits_before = 0;  ///< of the host for the device
    bool behind_default = true;      ///< behind all work that was on the default stream by then
};
Mark mark(const void* event);

/// What the answer has done in this call. On a GPU nothing of it is known.
struct Call {
    unsigned long launches = 0;         ///< of kernels
    unsigned long on_default = 0;       ///< of them, on the default stream
    unsigned long streams = 0;          ///< on so many streams
    unsigned long beside_others = 0;    ///< that may run at the same time as one before, on another stream
    unsigned long behind_waits = 0;     ///< before which, since the one before, the host has waited for the device
    unsigned long host_waits = 0;       ///< of the host for the device
    unsigned long allocations = 0;      ///< calls of cudaMalloc()
    bool gives_floats_as_tf32 = false;  ///< to a matrix product, and CUDA does not say what becomes of them

    // In counted():
    unsigned long behind_reads = 0;     ///< launches before which, since the one before, the host got something from it
    unsigned long turns_of_blocks = 0;  ///< how often, in a launch that is not cooperative, a block came back to a word
                                        ///< that another one had used since: it waits for that one, if this is often
    unsigned long algorithms = 0;       ///< of Thrust's, on the device. An element that the host reads or writes by
                                        ///< itself, as v[i], is one of them: it is a copy.
    std::size_t copied_on_device = 0;   ///< bytes
};
const Call& call();

/// How many of the array's bytes were read by kernels in this call, or changed by their atomic operations, in
/// counted().
std::size_t read_by_kernels(const void* array, std::size_t bytes);

/// Which call of cudaMalloc() in a call of the answer fails from now on: 1 is the first one, 0 none. On the emulator
/// only.
void refuse_allocation(unsigned long which);

// For checker.cpp.
void observe_device(bool counts);
void require_no_reset();

/// Streams and events that the program has and did not destroy.
struct Handles {
    std::size_t streams = 0, events = 0;
};
Handles live_handles();

}  // namespace exercise
