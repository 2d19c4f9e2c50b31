// One thread on the host, one product after another. A double has room for twice the digits of a float, so each product
// is exact. Only the additions round, half a billion times finer than in float.

#include "dot_product.h"

namespace dot_product {

double cpu(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
    return sum;
}

// 2^29 roundings in double weigh as much as one in float.
std::size_t cpu_roundings(std::size_t n) {
    return 1 + (n >> 29);
}

}  // namespace dot_product
