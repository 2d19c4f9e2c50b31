#pragma once

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

void order_stream_made(cudaStream_t stream, bool non_blocking);
void order_stream_destroyed(cudaStream_t stream);
void order_recorded(cudaEvent_t event, cudaStream_t stream);
void order_stream_waits(cudaStream_t stream, cudaEvent_t event);
void order_host_waited(cudaStream_t stream);
void order_host_waited_for(cudaEvent_t event);
void order_host_waited_for_all();
#else
class Work {
  public:
    Work(cudaStream_t, const char*, bool = false) {}
    ~Work() {}  // not trivial: it is there to be, as in the checked build
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
};
inline void order_stream_made(cudaStream_t, bool) {}
inline void order_stream_destroyed(cudaStream_t) {}
inline void order_recorded(cudaEvent_t, cudaStream_t) {}
inline void order_stream_waits(cudaStream_t, cudaEvent_t) {}
inline void order_host_waited(cudaStream_t) {}
inline void order_host_waited_for(cudaEvent_t) {}
inline void order_host_waited_for_all() {}
#endif

}  // namespace emulator
