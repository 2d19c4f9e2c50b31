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

/// Work was given to a stream: a kernel of this name, or something else, "a copy".
void tell_of_work(cudaStream_t stream, const char* what, bool is_kernel = false);

}  // namespace emulator
