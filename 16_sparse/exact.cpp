#include <cmath>

#include "sparse.h"

namespace sparse {

std::vector<Exact> exact(const Csr& a, std::span<const float> x) {
    std::vector<Exact> rows(a.rows);
    for (int row = 0; row < a.rows; ++row)
        for (int e = a.row_starts[row]; e < a.row_starts[row + 1]; ++e) {
            const double product = double{a.values[e]} * x[a.columns[e]];  // exact: 48 bits
            rows[row].value += product;
            rows[row].magnitude += std::abs(product);
        }
    return rows;
}

}  // namespace sparse
