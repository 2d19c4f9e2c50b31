// NVIDIA's answer: the dot product of cuBLAS, told to leave the result in device memory.

#include <cublas_v2.h>

#include <cstdint>
#include <string>

#include "common/check.h"
#include "dot_product.h"

namespace dot_product {
namespace {

void check(cublasStatus_t status, const std::string& call, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw cuda_error(cudaErrorUnknown, (call + ": " + cublasGetStatusString(status)).c_str(), __FILE__, line);
}

/// Made once, as it takes far longer than a dot product.
cublasHandle_t handle() {
    static const cublasHandle_t made = [] {
        cublasHandle_t handle = nullptr;
        check(cublasCreate(&handle), "cublasCreate", __LINE__);
        check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode", __LINE__);
        return handle;
    }();
    return made;
}

}  // namespace

void library(const float* a, const float* b, std::size_t n, float* result, Workspace*) {
    check(cublasSdot_64(handle(), static_cast<std::int64_t>(n), a, 1, b, 1, result), "cublasSdot_64", __LINE__);
}

}  // namespace dot_product
