// NVIDIA's answer: cuBLASLt, which multiplies bytes, and E4M3 by E4M3 with a scale for each row and column. It has no
// E5M2 by E5M2. As in library.cu, it sees every matrix transposed. A plan, which cuBLASLt takes a while to find, is
// kept for each size.

#include <algorithm>
#include <map>
#include <tuple>

#include "common/check.h"
#include "common/cublas.h"
#include "common/device_buffer.h"
#include "eight.h"

#include <cublasLt.h>

namespace matrix_multiply {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

cublasLtHandle_t handle() {
    static const cublasLtHandle_t made = [] {
        cublasLtHandle_t handle = nullptr;
        CUBLAS_CHECK(cublasLtCreate(&handle));
        return handle;
    }();
    return made;
}

void* workspace() {
    static DeviceBuffer<unsigned char> bytes(workspace_bytes);
    return bytes.data();
}

/// What one multiplication is, and the kernel that cuBLASLt would take for it. It lives as long as the program.
template <class F>
struct Plan {
    static constexpr bool is_int = std::is_same_v<F, Int8>;

    cublasLtMatmulDesc_t work = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
    cublasLtMatmulHeuristicResult_t chosen{};

    /// Rows and columns as cuBLASLt sees them: a has k rows and m columns, b k and n, and c n and m.
    Plan(std::size_t m, std::size_t n, std::size_t k, bool fast) {
        constexpr cudaDataType type = is_int ? CUDA_R_8I : CUDA_R_8F_E4M3, sum = is_int ? CUDA_R_32I : CUDA_R_32F;
        CUBLAS_CHECK(cublasLtMatmulDescCreate(&work, is_int ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F, sum));
        set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
        if constexpr (!is_int) {
            const auto by_row =
                F::by_blocks ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F : CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
            set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, by_row);
            set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, by_row);
            set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{fast});
        }
        CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&a, type, k, m, static_cast<std::int64_t>(k)));
        CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&b, type, k, n, static_cast<std::int64_t>(k)));
        CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&c, sum, n, m, static_cast<std::int64_t>(n)));
    }

    template <class T>
    void set(cublasLtMatmulDescAttributes_t attribute, T value) {
        CUBLAS_CHECK(cublasLtMatmulDescSetAttribute(work, attribute, &value, sizeof value));
    }

    void multiply(const Quantized<F>& in, typename F::Sum* to) {
        if constexpr (!is_int) {
            set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, in.b_scales.data);
            set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, in.a_scales.data);
        }
        if (!is_chosen) choose();
        const typename F::Sum one = 1, zero = 0;
        CUBLAS_CHECK(cublasLtMatmul(handle(), work, &one, in.b_transposed.data, b, in.a.data, a, &zero, to, c, to, c,
                                    &chosen.algo, workspace(), workspace_bytes, nullptr));
    }

  private:
    bool is_chosen = false;

    void choose() {
        cublasLtMatmulPreference_t preference = nullptr;
        CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(&preference));
        CUBLAS_CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                          &workspace_bytes, sizeof workspace_bytes));
        int found = 0;
        CUBLAS_CHECK(cublasLtMatmulAlgoGetHeuristic(handle(), work, b, a, c, c, preference, 1, &chosen, &found));
        CUBLAS_CHECK(cublasLtMatmulPreferenceDestroy(preference));
        is_chosen = true;
    }
};

/// The whole padded product, and from it c, unless c is as large.
template <class F, bool fast>
void eight_library(const Quantized<F>& in, Matrix<typename F::Sum> c) {
    require_product_fits(in, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t row = c.columns * sizeof *c.data;
    if (in.shape.k == 0) {
        CUDA_CHECK(cudaMemset2DAsync(c.data, c.stride * sizeof *c.data, 0, row, c.rows));
        return;
    }
    const std::size_t m = in.a.rows, n = in.b_transposed.rows, k = in.a.columns;
    static std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Plan<F>> plans;
    Plan<F>& plan = plans.try_emplace({m, n, k}, m, n, k, fast).first->second;
    if (m == c.rows && n == c.columns && n == c.stride && reinterpret_cast<std::uintptr_t>(c.data) % 256 == 0)
        return plan.multiply(in, c.data);
    DeviceBuffer<typename F::Sum> padded(m * n);
    plan.multiply(in, padded.data());
    CUDA_CHECK(cudaMemcpy2DAsync(c.data, c.stride * sizeof *c.data, padded.data(), n * sizeof *c.data, row, c.rows,
                                 cudaMemcpyDeviceToDevice));
}

constexpr ComputeCapability fp8_with_scales = warpgroup_mma;  // of rows: on Hopper only

}  // namespace

STAGES(EightStage<Int8>{"cublasLtMatmul", eight_library<Int8, false>, tensor_cores_for_tf32},
       EightStage<E4m3>{"cublasLtMatmul", eight_library<E4m3, false>, fp8_with_scales},
       EightStage<E4m3>{"fast", "the same with fast accumulation", eight_library<E4m3, true>, fp8_with_scales},
       EightStage<E4m3Blocks>{"cublasLtMatmul", eight_library<E4m3Blocks, false>, fp8_with_scales});

}  // namespace matrix_multiply
