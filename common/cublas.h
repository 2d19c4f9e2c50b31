#pragma once

#include <cublas_v2.h>

#include <string>

#include "common/check.h"

/// Throws a cuda_error that names the call, if cuBLAS refused or failed.
inline void check_cublas(cublasStatus_t status, const std::string& call, const char* file, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw cuda_error(cudaErrorUnknown, (call + ": " + cublasGetStatusString(status)).c_str(), file, line);
}

/// Around every cuBLAS call: CUBLAS_CHECK(cublasSgemm(...));
#define CUBLAS_CHECK(call) check_cublas((call), #call, __FILE__, __LINE__)

/// The handle for all cuBLAS calls. It is created once, because that takes far longer than a call. Scalar results go to
/// host memory, unless cublasSetPointerMode() says otherwise.
inline cublasHandle_t cublas_handle() {
    static const cublasHandle_t made = [] {
        cublasHandle_t handle = nullptr;
        CUBLAS_CHECK(cublasCreate(&handle));
        return handle;
    }();
    return made;
}
