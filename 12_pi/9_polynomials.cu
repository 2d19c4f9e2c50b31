// New here: one quotient of polynomials for eight terms. Eight neighbours j lie evenly about their middle m, in four
// pairs m ± h. A pair's sum depends on q = m² alone: with C = n² + h² it is 2 (q + C) / (q² + 2 (n² - h²) q + C²).
// So the sum of all eight is a polynomial of degree 7 in q over one of degree 8. Their coefficients are the
// same for every eight terms: the host computes them. What it saves: 15 multiply-adds and additions evaluate both, m
// and m² take two more, and one division serves eight terms. What remains: three instructions a term.

#include <iterator>

#include "common/check.h"
#include "one_launch.h"

namespace pi {
namespace {

constexpr int group = 8;

/// Σ 1 / (n² + (m ± h)²) over h = ½, 1½, 2½, 3½ is 8 · numerator(m²) / denominator(m²). The coefficient of the lowest
/// power comes first; that of the highest is 1 and left out. All coefficients are positive where n > h, so that no
/// digits cancel.
struct Fraction {
    double numerator[group - 1], denominator[group];
};

// In long double, as a rounding error here would change every term in the same way.
Fraction make_fraction(std::int64_t n) {
    const long double n_squared = static_cast<long double>(n) * static_cast<long double>(n);
    long double top[group + 2] = {}, bottom[group + 1] = {1};  // 0 / 1; each pair is added as fractions are
    for (int pair = 0; pair < group / 2; ++pair) {
        const long double h_squared = (pair + 0.5L) * (pair + 0.5L), c = n_squared + h_squared;
        const long double pair_bottom[] = {c * c, 2 * (n_squared - h_squared), 1};
        long double new_top[group + 2] = {}, new_bottom[group + 1] = {};
        for (int i = 0; i <= 2 * pair; ++i) {
            for (int k = 0; k < 3; ++k) {
                new_top[i + k] += top[i] * pair_bottom[k];
                new_bottom[i + k] += bottom[i] * pair_bottom[k];
            }
            new_top[i] += bottom[i] * c;
            new_top[i + 1] += bottom[i];
        }
        std::copy(std::begin(new_top), std::end(new_top), top);
        std::copy(std::begin(new_bottom), std::end(new_bottom), bottom);
    }
    Fraction fraction;
    for (int i = 0; i < group - 1; ++i) fraction.numerator[i] = static_cast<double>(top[i] / top[group - 1]);
    for (int i = 0; i < group; ++i) fraction.denominator[i] = static_cast<double>(bottom[i]);
    return fraction;
}

/// The polynomial's value at q by Horner's rule. The coefficient of the highest power is 1 and left out.
template <int degree>
__device__ double polynomial(const double (&coefficients)[degree], double q) {
    double value = q + coefficients[degree - 1];
#pragma unroll
    for (int i = degree - 2; i >= 0; --i) value = value * q + coefficients[i];
    return value;
}

__global__ void __launch_bounds__(block_size)
    sum_terms(Terms terms, Fraction fraction, double* result, Workspace<double>* workspace) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const std::int64_t groups = (terms.last - terms.first) / group, rest = terms.first + group * groups;
    const double n = static_cast<double>(terms.n);

    double sum = 0, m = static_cast<double>(terms.first + group * thread + group / 2);
    for (std::int64_t g = thread; g < groups; g += stride) {
        const double q = m * m;
        sum += polynomial(fraction.numerator, q) * (1 / polynomial(fraction.denominator, q));
        m += group * stride;
    }
    sum *= 8;
    if (rest + thread < terms.last) {
        const double j = static_cast<double>(rest + thread) + 0.5;
        sum += 1 / (n * n + j * j);
    }
    finish(sum, 4 * n, result, workspace);
}

}  // namespace

void polynomials(Terms terms, double* result, Workspace<double>* workspace) {
    sum_terms<<<blocks_for(terms, group), block_size>>>(terms, make_fraction(terms.n), result, workspace);
    CUDA_CHECK_LAUNCH();
}

double polynomials_roundings(Terms terms, unsigned) {
    const double q = 1;  // its rounding changes a polynomial of degree d with positive coefficients like d roundings
    const double numerator = 7 * q + 1 + 2 * 7, denominator = 8 * q + 1 + 2 * 8;  // coefficients, Horner
    return numerator + denominator + 2 + additions(terms, 8) + 2;
}

STAGES(Stage<double>{{"eight terms are two polynomials", polynomials}, polynomials_roundings});

}  // namespace pi
