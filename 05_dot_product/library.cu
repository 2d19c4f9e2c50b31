// NVIDIA's version: the dot product of cuBLAS, told to leave the result in device memory.

#include <cstdint>

#include "common/cublas.h"
#include "dot_product.h"

namespace dot_product {
namespace {

cublasHandle_t handle() {
    static const cublasHandle_t made = [] {
        CUBLAS_CHECK(cublasSetPointerMode(cublas_handle(), CUBLAS_POINTER_MODE_DEVICE));
        return cublas_handle();
    }();
    return made;
}

}  // namespace

void library(const float* a, const float* b, std::size_t n, float* result, Workspace*) {
    CUBLAS_CHECK(cublasSdot_64(handle(), static_cast<std::int64_t>(n), a, 1, b, 1, result));
}

// cuBLAS promises no bound. It is held to the one of 2_shared_tree.
STAGES(Stage{{"cublasSdot", library}, shared_tree_roundings});

}  // namespace dot_product
