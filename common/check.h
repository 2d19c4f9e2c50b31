#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <exception>

/// A CUDA call that failed. what() gives the call, its file and line, and the runtime's name and text of the error.
struct cuda_error : std::exception {
    cuda_error(cudaError_t code, const char* call, const char* file, int line) : code(code) {
        std::snprintf(text, sizeof text, "%s:%d: %s: %s (%s)", file, line, call, cudaGetErrorName(code),
                      cudaGetErrorString(code));
        cudaGetLastError();  // The error is reported here, so that the next launch check does not find it again.
    }
    const char* what() const noexcept override { return text; }

    cudaError_t code;

  private:
    char text[1000];  // no std::string: <string> would be most of what each kernel's file takes to compile
};

/// Throws cuda_error unless `status` is cudaSuccess. Use it through the macros below.
inline void cuda_check(cudaError_t status, const char* call, const char* file, int line) {
    if (status != cudaSuccess) throw cuda_error(status, call, file, line);
}

/// Around every call of the CUDA runtime: CUDA_CHECK(cudaMalloc(&p, bytes));
#define CUDA_CHECK(call) cuda_check((call), #call, __FILE__, __LINE__)

/// After every <<<launch>>>: a launch returns nothing, and cudaGetLastError() holds its error. This catches a launch
/// that could not start. An error while the kernel runs is reported by the next call that waits for the kernel.
#define CUDA_CHECK_LAUNCH() cuda_check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
