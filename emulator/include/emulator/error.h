#pragma once

#include "emulator/types.h"

extern "C" {
// What a program asks about the error state that a CUDA context and its host threads keep.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
}

#ifdef EMULATOR_CHECKED
namespace emulator {

/// A call of the runtime API has returned that, and the program throws it away.
void check_discarded(cudaError_t error);

/// The next call asks how far the device has come, and the program throws the answer away: it knows no more than
/// before.
void answer_is_discarded();

/// `cudaMemcpy(...);` becomes `cudaMemcpy(...), ::emulator::Discarded();`: see rewriter/passes/discarded_calls.py.
struct Discarded {
    Discarded() {}
};
inline void operator,(cudaError_t error, Discarded) {
    check_discarded(error);
}

}  // namespace emulator
#endif
