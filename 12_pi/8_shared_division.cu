// New here: a thread takes four terms at once and divides once. 1/a + 1/b = (a + b) / (a·b), and two such fractions
// have a common denominator again. Four divisions become one division and eight multiplications and additions.
// What remains: 16 instructions in double for four terms, beside the division.

#include "common/check.h"
#include "one_launch.h"

namespace pi {
namespace {

constexpr std::int64_t group = 4;

/// 1/a + 1/b + 1/c + 1/d, all positive and not so large that their product overflows.
__device__ double sum_of_reciprocals(double a, double b, double c, double d) {
    const double ab = a * b, cd = c * d;
    const double numerator = (a + b) * cd + (c + d) * ab;
    return numerator * (1 / (ab * cd));
}

__global__ void __launch_bounds__(block_size) sum_terms(Terms terms, double* result, Workspace<double>* workspace) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const std::int64_t groups = (terms.last - terms.first) / group, rest = terms.first + group * groups;
    const double n = static_cast<double>(terms.n), n_squared = n * n;
    const auto denominator = [=](double j) { return n_squared + j * j; };

    double sum = 0, j = static_cast<double>(terms.first + group * thread) + 0.5;
    for (std::int64_t g = thread; g < groups; g += stride) {
        sum += sum_of_reciprocals(denominator(j), denominator(j + 1), denominator(j + 2), denominator(j + 3));
        j += group * stride;
    }
    if (rest + thread < terms.last) sum += 1 / denominator(static_cast<double>(rest + thread) + 0.5);
    finish(sum, 4 * n, result, workspace);
}

}  // namespace

void shared_division(Terms terms, double* result, Workspace<double>* workspace) {
    sum_terms<<<blocks_for(terms, group), block_size>>>(terms, result, workspace);
    CUDA_CHECK_LAUNCH();
}

static double roundings(Terms terms, unsigned) {
    const double denominator = 3;                                            // n², j², their sum
    const double numerator = (denominator + 1) + (2 * denominator + 1) + 2;  // a + b, c·d, their product and the sum
    const double product = 4 * denominator + 3;
    return numerator + product + 2 + 1 + additions(terms, 4) + 1;  // + 1: the term of the rest
}

STAGES(Stage<double>{{"four terms over one denominator", shared_division}, roundings});

}  // namespace pi
