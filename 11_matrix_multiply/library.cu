// NVIDIA's answer: the matrix product of cuBLAS, in fp32. Unless asked to, it does not round the factors to the tensor
// cores' TF32. cuBLAS stores matrices by columns: it takes rows for columns, and so sees every matrix transposed. It is
// asked for cᵀ = bᵀ · aᵀ.

#include <algorithm>
#include <cstdint>

#include "common/cublas.h"
#include "matrix_multiply.h"

namespace matrix_multiply {

void library(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const auto [m, k, n] = shape_of(a, b, c);
    if (m == 0 || n == 0) return;
    const float one = 1, zero = 0;
    const auto size = [](std::size_t x) { return static_cast<std::int64_t>(x); };
    const auto stride = [&](const auto& matrix) { return std::max(size(matrix.stride), std::int64_t{1}); };
    CUBLAS_CHECK(cublasSgemm_64(cublas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, size(n), size(m), size(k), &one, b.data,
                                stride(b), a.data, stride(a), &zero, c.data, stride(c)));
}

STAGES(Stage{{"cublasSgemm, fp32 throughout", library}});

}  // namespace matrix_multiply
