#pragma once

#include <cstddef>
#include <span>

#include "common/device_buffer.h"
#include "dot_product.h"

// What programs and tests need besides the stages: a workspace, and what a result is held against.
namespace dot_product {

/// Makes a workspace for any number of launches, one after the other.
inline DeviceBuffer<Workspace> make_workspace() {
    DeviceBuffer<Workspace> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace)));
    return workspace;
}

struct Exact {
    double value;      ///< Σ a·b, rounded once
    double magnitude;  ///< Σ |a·b|
};

/// The reference, computed on the host: it keeps what each addition rounds off.
Exact exact(std::span<const float> a, std::span<const float> b);  // exact.cpp

/// The error bound of a float sum of n products: its largest distance from the exact value if each product passes
/// through at most `roundings` roundings, and Σ |a·b| is less than the largest float. atomic: some of the roundings are
/// those of an atomicAdd() in global memory.
double error_bound(const Exact& exact, std::size_t n, std::size_t roundings, bool atomic);  // exact.cpp

}  // namespace dot_product
