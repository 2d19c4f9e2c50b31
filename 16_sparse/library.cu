// NVIDIA's answer: cusparseSpMV. It takes the matrix as descriptors, which are made for each call here, as the same
// addresses may hold another matrix the next time. What it finds out about the matrix is part of its time, therefore.

#include <cusparse.h>

#include <string>

#include "common/check.h"
#include "common/device_buffer.h"
#include "sparse.h"

namespace sparse {
namespace {

/// Throws a cuda_error that names the call, if cuSPARSE refused or failed.
void check_cusparse(cusparseStatus_t status, const std::string& call, const char* file, int line) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    throw cuda_error(cudaErrorUnknown, (call + ": " + cusparseGetErrorString(status)).c_str(), file, line);
}

/// Around every cuSPARSE call.
#define CUSPARSE_CHECK(call) check_cusparse((call), #call, __FILE__, __LINE__)

/// It is created once, because that takes far longer than a call.
cusparseHandle_t handle() {
    static const cusparseHandle_t made = [] {
        cusparseHandle_t handle = nullptr;
        CUSPARSE_CHECK(cusparseCreate(&handle));
        return handle;
    }();
    return made;
}

}  // namespace

void library(const Matrix& a, const float* x, float* y) {
    static DeviceBuffer<unsigned char> buffer;  // kept from call to call: allocating takes longer than multiplying
    if (a.rows == 0) return;
    if (a.entries == 0) {
        CUDA_CHECK(cudaMemsetAsync(y, 0, a.rows * sizeof(float)));
        return;
    }
    cusparseConstSpMatDescr_t matrix;
    cusparseConstDnVecDescr_t in;
    cusparseDnVecDescr_t out;
    CUSPARSE_CHECK(cusparseCreateConstCsr(&matrix, a.rows, a.width, a.entries, a.row_starts, a.columns, a.values,
                                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                          CUDA_R_32F));
    CUSPARSE_CHECK(cusparseCreateConstDnVec(&in, a.width, x, CUDA_R_32F));
    CUSPARSE_CHECK(cusparseCreateDnVec(&out, a.rows, y, CUDA_R_32F));

    const float one = 1, zero = 0;
    std::size_t needed = 0;
    CUSPARSE_CHECK(cusparseSpMV_bufferSize(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out,
                                           CUDA_R_32F, CUSPARSE_SPMV_CSR_ALG1, &needed));
    if (needed > buffer.size()) buffer = DeviceBuffer<unsigned char>(needed);
    CUSPARSE_CHECK(cusparseSpMV(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out, CUDA_R_32F,
                                CUSPARSE_SPMV_CSR_ALG1, buffer.data()));
    CUSPARSE_CHECK(cusparseDestroySpMat(matrix));
    CUSPARSE_CHECK(cusparseDestroyDnVec(in));
    CUSPARSE_CHECK(cusparseDestroyDnVec(out));
}

// cuSPARSE promises no bound. It is held to the one of 2_thread_per_row.
STAGES(Stage{{"cusparseSpMV", library}, one_after_the_other});

}  // namespace sparse
