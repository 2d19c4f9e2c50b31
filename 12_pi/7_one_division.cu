// New here: less arithmetic. With j = i + ½ a term is (1/n) · 4 / (1 + (j/n)²) = 4n · 1 / (n² + j²). This saves x and
// its division, and the sum is multiplied by 4n at the end. j grows by additions, which are exact up to 2^52, so that
// no integer has to be converted. What remains: one division a term. It takes five multiply-adds, beside the one for
// n² + j² and the two additions to j and to the sum.

#include "common/check.h"
#include "one_launch.h"

namespace pi {
namespace {

__global__ void __launch_bounds__(block_size) sum_terms(Terms terms, double* result, Workspace<double>* workspace) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const double n = static_cast<double>(terms.n), n_squared = n * n;

    double sum = 0, j = static_cast<double>(terms.first + thread) + 0.5;
    for (std::int64_t i = terms.first + thread; i < terms.last; i += stride) {
        sum += 1 / (n_squared + j * j);
        j += stride;
    }
    finish(sum, 4 * n, result, workspace);
}

}  // namespace

void one_division(Terms terms, double* result, Workspace<double>* workspace) {
    sum_terms<<<blocks_for(terms, 1), block_size>>>(terms, result, workspace);
    CUDA_CHECK_LAUNCH();
}

double one_division_roundings(Terms terms, unsigned) {
    const double term = 4;  // n², j², their sum, the reciprocal
    return term + additions(terms, 1) + 1;
}

STAGES(Stage<double>{{"1 / (n² + j²): one division per term, no x", one_division}, one_division_roundings});

}  // namespace pi
