#pragma once

#include "common/device_buffer.h"
#include "pi.h"

// What programs and tests need besides the stages: a workspace, and what a result is held against.
namespace pi {

/// A workspace for any number of launches, one after the other.
template <class T>
DeviceBuffer<Workspace<T>> make_workspace() {
    DeviceBuffer<Workspace<T>> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace<T>)));
    return workspace;
}

/// The terms' share of the sum, with a relative error of about 1e-18.
long double exact(Terms terms);  // exact.cpp

/// How far a result may be from `exact` if no term passes through more than k roundings of type T. As all terms are
/// positive, it is k·u / (1 - k·u) of `exact`; where k·u reaches 1 there is no bound, and it is infinite.
template <class T>
double error_bound(double exact, double k);  // exact.cpp

}  // namespace pi
