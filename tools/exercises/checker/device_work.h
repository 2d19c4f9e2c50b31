#pragma once

#include <cstddef>

// Whether an answer does its work on the device, and in order: what it moves between host and device, and whether it
// waits for the streams that it makes. All of that is known on the emulator only. The rule for all exercises with
// kernels, which holds in counted():
//
// - At most half of what is given in device memory may come to the host, whatever way it takes. To compute on the host
//   one needs it there; flags, counters and partial sums are small.
// - Where nothing is given in device memory, kernels are the last to write each element that is asked for, and the host
//   sends at most half as many bytes. A result that was computed on the host must be brought to the device.
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

/// How often the host had waited for the device when the event was recorded last.
unsigned long waits_before(const void* event);

/// Whether the event was recorded last behind all work that was on the default stream by then.
bool behind_default_stream(const void* event);

/// How many kernels the answer has launched in this call, and how often the host has waited for the device.
unsigned long launches();
unsigned long host_waits();

/// How many of these kernels may run at the same time as one before, on another stream.
unsigned long launches_beside_others();

/// Bytes that have come from the device to the host, in counted().
std::size_t brought_to_host();

/// How many of Thrust's algorithms have run on the device for the answer, in counted(). An element that the host reads
/// or writes by itself, as v[i], is one of them: it is a copy.
unsigned long algorithms();

/// Bytes that the answer has copied from one place in device memory to another, in counted().
std::size_t copied_on_device();

// For checker.cpp.
void observe_device(bool counts);
void require_no_reset();

/// Streams and events that the program has and did not destroy.
struct Handles {
    std::size_t streams = 0, events = 0;
};
Handles live_handles();

}  // namespace exercise
