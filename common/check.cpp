#include "common/check.h"

#include <string>

cuda_error::cuda_error(cudaError_t code, const char* call, const char* file, int line)
    : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + cudaGetErrorName(code) +
                         " (" + cudaGetErrorString(code) + ")"),
      code(code) {
    cudaGetLastError();  // The error is reported here, so that the next launch check does not find it again.
}
