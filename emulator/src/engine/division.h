#pragma once

namespace emulator {

/// Called by the handler of SIGFPE in a thread of a kernel: gives the division that the processor has refused the
/// result that it has on a GPU, and goes on behind it. False if it is no division that is known. On ARM none is
/// refused.
bool finish_division(void* context);

}  // namespace emulator
