#pragma once

#include <nccl.h>

#include <string>

#include "common/check.h"
#include "common/errors.h"

/// Around every call of NCCL: NCCL_CHECK(ncclGroupEnd()). Throws usage_error: as a rule it refuses how ranks were
/// started.
#define NCCL_CHECK(call) nccl_check((call), #call, __FILE__, __LINE__)

inline void nccl_check(ncclResult_t result, const char* call, const char* file, int line) {
    if (result != ncclSuccess)
        throw usage_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                          ncclGetErrorString(result));
}

/// How many devices there are. Throws cuda_error.
inline int number_of_devices() {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    return count;
}
