#pragma once

#include <cstdint>

namespace emulator {

class WatchedWorker;

// An OS thread that looks at the workers from time to time and interrupts those in which one and the same thread of a
// kernel has been running for long: it may be waiting, in a loop of its own, for a thread that does not get its turn.

/// The worker can be interrupted from now on, and no more.
void watch(WatchedWorker& worker);
void unwatch(WatchedWorker& worker);

/// A kernel begins. Cheap, since it has to wake the watchdog only if there was none for a second.
void wake_watchdog();

/// Where the instructions of a program or library begin, and how many bytes they are.
struct CodeRange {
    std::uintptr_t begin = 0, bytes = 0;
};

/// The whole of that around `code`; null if it is in none. Stays where it is, for signal handlers of other OS threads.
const CodeRange* code_around(const void* code);

}  // namespace emulator
