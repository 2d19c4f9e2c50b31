#pragma once

#include "emulator/observer.h"

namespace emulator {

extern Observer* observer;

/// Calls f(observer) if there is one.
template <class F>
void tell_observer(const F& f) {
    if (Observer* const told = observer) {
        observer = nullptr;  // of what it does itself it hears nothing
        f(*told);
        observer = told;
    }
}

void tell_of_launch(cudaStream_t stream);

}  // namespace emulator
