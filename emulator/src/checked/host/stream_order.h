#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "emulator/types.h"

// What the runtime API tells the checked build of streams: who waits for whom. In the plain build nothing.
namespace emulator {

#ifdef EMULATOR_CHECKED
/// While it exists, this OS thread does what a call gave to a stream: a kernel, a copy, a function.
class Work {
  public:
    /// `programmatic`: a kernel that may begin before the one ahead of it in the stream has ended.
    Work(cudaStream_t stream, const char* what, bool programmatic = false);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
};

/// While it exists, this OS thread runs a graph in that stream. A node comes behind those that it waits for, and beside
/// all others: it counts as the work of a branch, unless the stream has nothing that it does not wait for.
class GraphBranches {
  public:
    explicit GraphBranches(cudaStream_t stream);
    ~GraphBranches();
    GraphBranches(const GraphBranches&) = delete;
    GraphBranches& operator=(const GraphBranches&) = delete;

    /// What is given to the stream until ends() is that node's.
    void begins(const std::vector<const void*>& before);
    void ends(const void* node);

  private:
    std::unique_ptr<struct RunningGraph> graph_;
};

void order_stream_made(cudaStream_t stream, bool non_blocking, int device);
void order_stream_destroyed(cudaStream_t stream);
void order_recorded(cudaEvent_t event, cudaStream_t stream);
void order_event_destroyed(cudaEvent_t event);  ///< another one may get its address
void order_stream_waits(cudaStream_t stream, cudaEvent_t event);
void order_host_waited(cudaStream_t stream);
void order_host_waited_for(cudaEvent_t event);
bool order_host_knows(cudaEvent_t event);  ///< that it has come
bool order_takes_discarded();              ///< whether the program throws away what the present call answers
void order_host_waited_for_device(int device);
void order_host_waited_for_all();

/// The present work allocates these bytes, or frees them.
void order_touched(const void* pointer, std::size_t bytes);

/// The present work copies from the memory of one device to that of another, or to the host; nothing: the host's. In a
/// default stream it has its turn on these devices, too.
void order_copy_between(std::optional<int> from, std::optional<int> to);
#else
class Work {
  public:
    Work(cudaStream_t, const char*, bool = false) {}
    ~Work() {}  // not trivial: it is there to be, as in the checked build
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
};
class GraphBranches {
  public:
    explicit GraphBranches(cudaStream_t) {}
    ~GraphBranches() {}
    GraphBranches(const GraphBranches&) = delete;
    GraphBranches& operator=(const GraphBranches&) = delete;

    void begins(const std::vector<const void*>&) {}
    void ends(const void*) {}
};
inline void order_stream_made(cudaStream_t, bool, int) {}
inline void order_stream_destroyed(cudaStream_t) {}
inline void order_recorded(cudaEvent_t, cudaStream_t) {}
inline void order_event_destroyed(cudaEvent_t) {}
inline void order_stream_waits(cudaStream_t, cudaEvent_t) {}
inline void order_host_waited(cudaStream_t) {}
inline void order_host_waited_for(cudaEvent_t) {}
inline bool order_host_knows(cudaEvent_t) {
    return true;
}
inline bool order_takes_discarded() {
    return false;
}
inline void order_host_waited_for_device(int) {}
inline void order_host_waited_for_all() {}
inline void order_touched(const void*, std::size_t) {}
inline void order_copy_between(std::optional<int>, std::optional<int>) {}
#endif

}  // namespace emulator
