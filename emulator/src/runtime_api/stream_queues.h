#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "emulator/types.h"

// With EMULATOR_SHUFFLE work waits in its stream, and is done in a drawn order that the program allows: behind what is
// ahead of it in the stream, behind events, behind and ahead of the legacy stream's. Some is done as more is given to a
// stream, some as the host asks how far it has come, and the rest when the host waits for it. Without the variable, in
// the checked build (which reports what nothing orders) and where an observer listens, all work is done at once.
namespace emulator {

/// Whether the calling thread's work is to be given to the queues. Not while it does such work itself.
bool streams_queue();

/// Counts pieces of work from 1 on; 0 stands for one that is done.
using WorkNumber = std::uint64_t;

struct QueuedWork {
    std::function<cudaError_t()> run;     ///< gets nothing from the stack of who queues it
    bool is_hosts = false;                ///< calls the program's functions: they may wait for what the host does next
    bool is_bookkeeping = false;          ///< an event, a wait, memory that is freed: nobody misses it at the end
    bool even_after_error = false;        ///< is to be told if a kernel has failed; else it is left out then
    const void* one_at_a_time = nullptr;  ///< behind other work with the same, in any stream
    WorkNumber behind = 0;
    std::shared_ptr<void> keeps{};  ///< what `run` uses, until it has run
};

/// The stream is a live one, or a default stream of the current device.
WorkNumber queue_work(cudaStream_t stream, QueuedWork work);

bool is_done(WorkNumber number);

/// Whether nothing is left of what work that is given to the stream now would wait for.
bool is_idle(cudaStream_t stream);

// The host waits: what it waits for is done when they return, and perhaps more.
void finish(WorkNumber number);
void finish_stream(cudaStream_t stream);  ///< what work that is given to the stream now would wait for
void finish_device(int device);
void finish_all();

/// What `allocate` answers. If no memory is left, once more behind all work: some may be about to be freed in a stream.
template <class Allocate>
cudaError_t allocate_behind_work(const Allocate& allocate) {
    const cudaError_t error = allocate();
    if (error != cudaErrorMemoryAllocation || !streams_queue()) return error;
    finish_all();
    return allocate();
}

/// The host asks and does not wait: something is done, so that asking again and again comes to an end.
void let_streams_go_on();

/// What queued work has answered that failed; once. No more than that is known of it: the call has long returned.
cudaError_t take_late_error();

}  // namespace emulator
