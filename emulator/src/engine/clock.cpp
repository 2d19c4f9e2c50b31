#include <ctime>

#include "emulator/intrinsics.h"
#include "worker.h"

// What clock() calls, in the place of the C library's: in a kernel it ticks as clock64() does, since kernels wait by
// it for so and so many cycles; elsewhere it is the processor's time in microseconds.
extern "C" std::clock_t clock() noexcept {
    const emulator::Worker* worker = emulator::existing_worker;
    if (worker != nullptr && worker->in_kernel()) return clock64();
    return emulator::nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1000;
}
