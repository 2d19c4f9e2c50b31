#pragma once

#include <cstdint>

// A signal handler may do next to nothing: what it has interrupted may hold any lock, that of malloc() included. So
// ours look at what happened, write it down, and leave: when the handler returns, ordinary code runs, on a stack of its
// own. When that ends, what was interrupted goes on as if nothing had happened, with all of its registers.

namespace emulator {

/// What was interrupted, and how to go on with it. Lies on the stack of what runs meanwhile.
struct Detour;

/// Called by a signal handler before it returns: after it then(argument) runs, below `stack`. `uninterruptible` is set
/// until what was interrupted goes on.
Detour* leave_handler(void* context, std::uintptr_t stack, void (*then)(void*), void* argument);

/// Called by a signal handler: when it returns, what the detour began with goes on, wherever the detour has got to.
void go_back(Detour* detour, void* context);

/// Called first by the handler of SIGSEGV, which ends detours. True: that was all.
bool ends_detour(void* context);

}  // namespace emulator
