#pragma once

#include <cstdint>
#include <string>

#include "../../reports/error_state.h"
#include "../../reports/source_places.h"
#include "emulator/engine.h"
#include "emulator/types.h"

// What the runtime API tells the checked build of calls that fail, and of streams and events. In the plain build
// nothing.
//
// A failure is a finding if nobody looks at the error before the program ends. A launch returns nothing: it is looked
// at once the same OS thread calls cudaGetLastError() or cudaPeekAtLastError(). So is a call that returns its error and
// whose statement throws that away, as the rewriter sees (rewriter/passes/discarded_calls.py). All other errors that
// calls return are taken to be looked at.
namespace emulator {

#ifdef EMULATOR_CHECKED
/// A call of the runtime API.
class ApiCall {
  public:
    explicit ApiCall(const char* name);
    cudaError_t ended(cudaError_t error) const;  ///< the same error

  private:
    const char* name_;
    unsigned reports_;
};

/// Why the present call is about to fail, as a sentence.
void note_reason(const std::string& reason);

/// A launch was refused for that reason.
void note_refused_launch(const char* kernel, const Launch& launch, cudaError_t error, const std::string& reason);

/// cudaLaunchKernel() and the like return the error of a launch.
void note_launch_returns_error();

void note_errors_are_looked_at();
/// The program asks for the time of an event without having waited for it, and does not look at the error.
void note_unawaited_time();

/// What the program makes and destroys: a "stream", an "event", a "graph", an "executable graph" or a "memory pool". An
/// event that is waited for and never recorded is worth a note.
void note_made(const void* handle, const char* what);
void note_destroyed(const void* handle);
void note_recorded(const void* event);
void note_waits_in_vain(const void* event, const char* call);

/// Where a cudaEventRecord() has failed whose error nobody has looked at, and why; else nothing.
std::string failed_record();

/// Which call or launch was the first to fail, of those whose error nobody has looked at so far; else nothing. A note.
std::string failed_before();

/// At the end of the program: errors that nobody has looked at; what was never given back.
void tell_end_of_calls();
void tell_what_is_left();
#else
class ApiCall {
  public:
    explicit ApiCall(const char*) {}
    cudaError_t ended(cudaError_t error) const { return error; }
};
inline void note_reason(const std::string&) {}
inline void note_refused_launch(const char* kernel, const Launch& launch, cudaError_t, const std::string& reason) {
    const std::string line = source_line(reinterpret_cast<std::uintptr_t>(launch.called_at) - 1);
    explain("the launch of %s%s%s is refused: %s", kernel, line.empty() ? "" : " at ", line.c_str(), reason.c_str());
}
inline void note_launch_returns_error() {}
inline void note_errors_are_looked_at() {}
inline void note_unawaited_time() {}
inline void note_made(const void*, const char*) {}
inline void note_destroyed(const void*) {}
inline void note_recorded(const void*) {}
inline void note_waits_in_vain(const void*, const char*) {}
#endif

}  // namespace emulator
