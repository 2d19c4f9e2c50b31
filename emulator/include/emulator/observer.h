#pragma once

#include <cstddef>
#include <string>

#include "emulator/types.h"

// For a program that judges other code: what moves between host and device, and which streams
// were waited for.
namespace emulator {

/// Its functions are called by whoever does the work. What they do themselves is not told of.
class Observer {
  public:
    virtual ~Observer() = default;

    /// In the checked build; what Thrust copies, in both.
    virtual void copied(const void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {}
    virtual void filled(const void* /*to*/, std::size_t /*bytes*/) {}  ///< in the checked build
    /// Host code in a .cu file touches memory that is open to it and to kernels. In the checked build.
    virtual void host_accesses(const void* /*address*/, std::size_t /*bytes*/, bool /*writes*/) {}
    /// Host code in a .cu file stores in a variable of the device by its name: on a GPU that is another one. Where the
    /// runtime does so, copied() or filled() of the same address follows. In the checked build.
    virtual void host_writes_variable(const void* /*address*/) {}
    /// A thread of a kernel that is counted touches global memory.
    virtual void kernel_accesses(const void* /*address*/, std::size_t /*bytes*/, bool /*writes*/) {}

    /// The elements of a product of TF32 matrices have more bits than that: CUDA does not say what becomes of them.
    virtual void takes_floats_as_tf32() {}
    /// cudaMalloc() is called for so many bytes. Returns how many it is to ask for.
    virtual std::size_t allocates(std::size_t bytes) { return bytes; }

    // Null stands for the default stream. Events may have been recorded before anybody observed.
    /// The host runs an algorithm of a library in a kernel's place: "Thrust". One that it calls is not told of.
    virtual void library_works(const char* /*library*/) {}
    virtual void launched(cudaStream_t /*stream*/) {}  ///< a kernel
    virtual void recorded(cudaEvent_t /*event*/, cudaStream_t /*stream*/) {}
    virtual void stream_waits(cudaStream_t /*stream*/, cudaEvent_t /*event*/) {}
    virtual void host_waited() {}  ///< for the device, or for a stream or an event
    virtual void reset() {}        ///< cudaDeviceReset()
};

/// Null for none, as at first.
void observe(Observer* observer);

/// How many streams and events a program has made and not destroyed.
std::size_t live_streams();
std::size_t live_events();

// In the checked build, which knows in what order streams work:

/// Work that neither the host nor the default stream has waited for: "kernel scale(float*)"; "" if there is none.
std::string unawaited_work();
/// Whether the kernel that was launched may run at the same time as earlier work of another stream, where neither of
/// the two is a default stream.
bool runs_beside_others();

}  // namespace emulator
