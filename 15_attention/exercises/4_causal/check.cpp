#include "checker.h"

#include <cmath>

using namespace exercise;

void attend(const float* queries, const float* keys, const float* values, float* out, int n);

namespace {

constexpr int d = 16;

void attend_and_compare(int n) {
    Input<float> queries("queries", similar_values<float>(static_cast<std::size_t>(n) * d));
    Input<float> keys("keys", similar_values<float>(static_cast<std::size_t>(n) * d));
    Input<float> values("values", similar_values<float>(static_cast<std::size_t>(n) * d));
    Output<float> out("out", static_cast<std::size_t>(n) * d);

    attend(queries.data(), keys.data(), values.data(), out.data(), n);
    finish();

    const std::vector<float> got = out.values();
    std::string wrong;
    for (int i = 0; i < n && wrong.empty(); ++i) {
        std::vector<double> scores(i + 1);
        for (int j = 0; j <= i; ++j)
            for (int c = 0; c < d; ++c)
                scores[j] += 0.25 * queries.values[static_cast<std::size_t>(i) * d + c] *
                             keys.values[static_cast<std::size_t>(j) * d + c];
        const double most = *std::max_element(scores.begin(), scores.end());
        double sum = 0, sums[d] = {};
        for (int j = 0; j <= i; ++j) {
            const double weight = std::exp(scores[j] - most);
            sum += weight;
            for (int c = 0; c < d; ++c) sums[c] += weight * values.values[static_cast<std::size_t>(j) * d + c];
        }
        for (int c = 0; c < d && wrong.empty(); ++c) {
            const float is = got[static_cast<std::size_t>(i) * d + c];
            // A score has 16 products of at most 4 / 4, so its rounding changes a weight by 1e-5 at most, and a value
            // is at most 2.
            if (std::abs(is - sums[c] / sum) <= 3e-5) continue;
            const std::string place = "out[" + std::to_string(i) + "][" + std::to_string(c) + "]";
            wrong = place + " is " + (is != is ? "nan" : std::to_string(is)) + ", expected " +
                    std::to_string(sums[c] / sum) + "; position " + std::to_string(i) + " of " + std::to_string(n) +
                    " sees the positions 0 to " + std::to_string(i) + ", in block " + std::to_string(i / 64);
        }
    }
    require(wrong.empty(), wrong);
    queries.require_unchanged();
    keys.require_unchanged();
    values.require_unchanged();
}

}  // namespace

void check() {
    for_sizes({0, 1, 2, 31, 32, 33, 63, 64, 65, 96, 97, 127, 129, 200, 257, 577}, attend_and_compare);
}

void counted() {
    attend_and_compare(512);
}
