#pragma once

#include "common/check.h"

/// The multiprocessors of the current device: a grid that fills it has a multiple of them. Throws cuda_error.
inline unsigned multiprocessors() {
    int device = 0, count = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return static_cast<unsigned>(count);
}
