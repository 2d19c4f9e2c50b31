// NVIDIA's version: one call of CUB's transform, which chooses the block size and the loads for the device by itself.

#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>

#include "common/check.h"
#include "vector_add.h"

namespace vector_add {

void library(const float* a, const float* b, float* c, std::size_t n) {
    CUDA_CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(a, b), c, n, cuda::std::plus<float>{}));
}

}  // namespace vector_add
