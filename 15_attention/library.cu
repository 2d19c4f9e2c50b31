// NVIDIA's answer in three steps: cuBLAS multiplies on tensor cores, and a kernel makes the softmax between the two
// products. The matrix of a head's scores lies in global memory, as floats, and once more, as weights in BF16.

#include "attention.h"
#include "common/check.h"
#include "common/cublas.h"

namespace attention {
namespace {

constexpr int threads = 256;

/// Combines a value of each thread of the block.
template <class Operation>
__device__ float all(float value, Operation combine) {
    __shared__ float of_warps[threads / 32];
    for (int offset = 16; offset > 0; offset /= 2) value = combine(value, __shfl_xor_sync(0xffffffff, value, offset));
    __syncthreads();
    of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = of_warps[0];
    for (int warp = 1; warp < threads / 32; ++warp) value = combine(value, of_warps[warp]);
    return value;
}

/// One block per row.
__global__ void softmax(Shape shape, const float* scores, Bf16* weights) {
    const std::size_t row = blockIdx.x * std::size_t(shape.n);
    const int end = shape.causal ? blockIdx.x + 1 : shape.n;
    float largest = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < end; j += threads) largest = fmaxf(largest, scores[row + j]);
    largest = all(largest, [](float a, float b) { return fmaxf(a, b); });
    for (int j = threadIdx.x; j < end; j += threads) sum += expf(scores[row + j] - largest);
    sum = all(sum, [](float a, float b) { return a + b; });
    for (int j = threadIdx.x; j < shape.n; j += threads)
        weights[row + j] = __float2bfloat16_rn(j < end ? expf(scores[row + j] - largest) / sum : 0);
}

}  // namespace

void library(const Shape& shape, const Input& in, float* out, float* scratch) {
    require_supported(shape);
    const int n = shape.n, d = shape.d;
    auto* weights = reinterpret_cast<Bf16*>(scratch + std::size_t(n) * n);
    const float scale = scale_of(d), one = 1, zero = 0;
    // cuBLAS stores columns, so it sees every matrix transposed, and makes the transposed product.
    for (int head = 0; head < shape.heads; ++head) {
        const std::size_t at = std::size_t(head) * n * d;
        CUBLAS_CHECK(cublasGemmEx(cublas_handle(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, d, &scale, in.halves.keys + at,
                                  CUDA_R_16BF, d, in.halves.queries + at, CUDA_R_16BF, d, &zero, scratch, CUDA_R_32F, n,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        softmax<<<n, threads>>>(shape, scratch, weights);
        CUDA_CHECK_LAUNCH();
        CUBLAS_CHECK(cublasGemmEx(cublas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, d, n, n, &one, in.halves.values + at,
                                  CUDA_R_16BF, d, weights, CUDA_R_16BF, n, &zero, out + at, CUDA_R_32F, d,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    }
}

STAGES(Stage{{"two products by cuBLAS, and a softmax between them", library, tensor_cores_for_tf32}, true});

}  // namespace attention
