// The reference for every stage, and the error bound.

#include <cmath>

#include "exact.h"

namespace dot_product {

// Ogita, Rump and Oishi, "Accurate sum and dot product" (2005): Knuth's TwoSum gives the rounding error of an addition
// exactly, so the errors can be added up. The product of two floats has no error in double and neither overflows nor
// underflows. What is left is one rounding of the result, and n² · 2^-106 · Σ|a·b| from adding up the errors.
Exact exact(std::span<const float> a, std::span<const float> b) {
    double sum = 0, lost = 0, magnitude = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double product = double{a[i]} * b[i];
        const double next = sum + product;
        const double added = next - sum;
        lost += (sum - (next - added)) + (product - added);
        sum = next;
        magnitude += std::abs(product);
    }
    return {std::isfinite(sum) ? sum + lost : sum, magnitude};
}

// Higham, "Accuracy and Stability of Numerical Algorithms", chapters 3 and 4: k roundings, each by a factor of 1 ± u at
// most, change a product by a factor of 1 ± k·u / (1 - k·u) at most. In addition, the product of two small floats may
// fall between the smallest floats, which are 2^-149 apart. And an atomicAdd() in global memory replaces what it adds
// and what it gets by 0 if they are below 2^-126 (PTX manual, atom.add.f32).
double error_bound(const Exact& exact, std::size_t n, std::size_t roundings, bool atomic) {
    const double ku = 0x1p-24 * static_cast<double>(roundings);
    const double relative = ku / (1 - ku);
    const double reference = 0x1p-53 * std::abs(exact.value);
    const double flushed = atomic ? 2 * 0x1p-126 * static_cast<double>(roundings) : 0;
    return relative * exact.magnitude + (1 + relative) * (0x1p-150 * static_cast<double>(n) + flushed) + reference;
}

}  // namespace dot_product
