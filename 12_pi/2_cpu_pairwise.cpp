// New here: the order of the additions. The sum is that of two halves, which are sums of halves again, so that a term
// passes through 64 + log2(n / 64) additions and not through n.
// The variant compensated() adds in the old order (Kahan 1965): it computes the rounding error of each addition, and
// subtracts it from the next term. Its four additions wait for each other, so it takes about twice as long.

#include <algorithm>
#include <cmath>

#include "pi.h"
#include "term.h"

namespace pi {
namespace {

constexpr std::int64_t block = 64;  // so many terms are added one after another

template <class T>
T pairwise_sum(std::int64_t first, std::int64_t last, T step) {
    if (last - first > block) {
        const std::int64_t middle = first + (last - first) / 2;
        return pairwise_sum(first, middle, step) + pairwise_sum(middle, last, step);
    }
    T sum = 0;
    for (std::int64_t i = first; i < last; ++i) sum += term(i, step);
    return sum;
}

}  // namespace

template <class T>
T pairwise(Terms terms, unsigned) {
    const T step = T{1} / static_cast<T>(terms.n);
    return pairwise_sum(terms.first, terms.last, step) * step;
}

template <class T>
T compensated(Terms terms, unsigned) {
    const T step = T{1} / static_cast<T>(terms.n);
    T sum = 0, excess = 0;  // the sum is too large by the excess
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        const T addend = term(i, step) - excess;
        const T next = sum + addend;
        excess = (next - sum) - addend;
        sum = next;
    }
    return sum * step;
}

template float pairwise(Terms, unsigned);
template double pairwise(Terms, unsigned);
template float compensated(Terms, unsigned);
template double compensated(Terms, unsigned);

static double pairwise_roundings(Terms terms, unsigned) {
    const double blocks = static_cast<double>(terms.last - terms.first) / block;
    return roundings_of_a_term + block + std::ceil(std::log2(std::max(blocks, 1.0))) + 1;
}

// Goldberg, "What every computer scientist should know about floating-point arithmetic" (1991), theorem 8: at most two
// roundings for each term, and in addition O(n u²) of the sum. The theorem gives no constant for O; here it is 8.
static double compensated_roundings(Terms terms, unsigned) {
    return roundings_of_a_term + 2 + 8 * 0x1p-24 * static_cast<double>(terms.last - terms.first) + 1;
}

template <class T>
constexpr Stage<T> pairwise_stage{{"the sums of both halves, and of their halves", pairwise<T>}, pairwise_roundings};
template <class T>
constexpr Stage<T> compensated_stage{
    {"compensated", "what an addition rounds off goes into the next one", compensated<T>}, compensated_roundings};
STAGES(pairwise_stage<double>, compensated_stage<double>, pairwise_stage<float>, compensated_stage<float>);

}  // namespace pi
