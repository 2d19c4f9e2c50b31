// What exercises 15.1 and 15.2 check with: rows of scores that a careless softmax does not survive.

#include "checker.h"

#include <cmath>
#include <cstring>
#include <sstream>

using namespace exercise;

void softmax(const float* scores, float* weights, int rows, int columns);

namespace {

constexpr double allowed = 3e-4;  // of each weight. Scores have at most 3,000: a rounding there changes it by 1.2e-4

struct Rows {
    int rows, columns;
    std::vector<float> scores;

    float* operator[](int row) { return &scores[static_cast<std::size_t>(row) * columns]; }
};

// Each row is about a number of its own: 3,000, -3,000, 0, 120, -120 and so on.
Rows about_one_number_each(int rows, int columns) {
    constexpr float middles[] = {3000, -3000, 0, 120, -120, 1000, -1000};
    std::vector<float> spread = similar_values<float>(static_cast<std::size_t>(rows) * columns);
    Rows made{rows, columns, {}};
    for (std::size_t k = 0; k < spread.size(); ++k)
        made.scores.push_back(std::nearbyint((middles[k / columns % 7] + 2 * spread[k]) * 1024) / 1024);
    return made;
}

// Scores of one row that lie so far apart that only some of the weights are not 0.
Rows far_apart(int rows, int columns) {
    Rows made{rows, columns, distinct_values<float>(static_cast<std::size_t>(rows) * columns)};
    for (float& score : made.scores) score = std::fmod(score, 150.0f);
    return made;
}

Rows all_equal(int rows, int columns) {
    Rows made = about_one_number_each(rows, columns);
    for (int row = 0; row < rows; ++row) std::fill_n(made[row], columns, made[row][0]);
    return made;
}

enum class Masked { rest, beginning, any };

// Some scores of each row are -infinity, and one at least is not.
Rows with_mask(Rows made, Masked what) {
    const std::vector<int> random = random_values<int>(made.scores.size() + made.rows, 0, 1 << 20);
    for (int row = 0; row < made.rows; ++row) {
        const int kept = random[made.scores.size() + row] % made.columns;
        for (int j = 0; j < made.columns; ++j) {
            const bool any = random[static_cast<std::size_t>(row) * made.columns + j] % 4 > 0;
            const bool hidden = what == Masked::rest ? j > kept : what == Masked::beginning ? j < kept : any;
            if (hidden && j != kept) made[row][j] = -INFINITY;
        }
    }
    return made;
}

std::string shown(double value) {
    if (value != value) return "nan";
    std::ostringstream text;
    text.precision(6);
    text << value;
    return text.str();
}

std::string what_is_wrong(const float* scores, int columns, float got, int j) {
    const auto [least, most] = std::minmax_element(scores, scores + columns);
    unsigned bits;
    std::memcpy(&bits, &got, sizeof bits);
    if (bits == ~0u) return "Perhaps nothing was written there";
    const std::string of_row = columns == 1 ? "The only one of this row is " + shown(scores[0])
                                            : "Those of this row go from " + shown(*least) + " to " + shown(*most) +
                                                  ", and this one's is " + shown(scores[j]);
    return of_row + (got != got ? ". inf / inf, 0 / 0 and inf - inf give nan: which of them is it?" : "");
}

void soften_and_compare(const Rows& given) {
    const int columns = given.columns;
    Input<float> scores("scores", given.scores);
    Output<float> weights("weights", given.scores.size());

    softmax(scores.data(), weights.data(), given.rows, columns);
    finish();

    const std::vector<float> got = weights.values();
    std::string wrong;
    for (int row = 0; row < given.rows && wrong.empty(); ++row) {
        const float* own = &given.scores[static_cast<std::size_t>(row) * columns];
        const double most = *std::max_element(own, own + columns);
        double sum = 0;
        for (int j = 0; j < columns; ++j) sum += std::exp(own[j] - most);
        for (int j = 0; j < columns && wrong.empty(); ++j) {
            const float weight = got[static_cast<std::size_t>(row) * columns + j];
            const double expected = std::exp(own[j] - most) / sum;
            // What is below the least normal float may be taken for 0.
            if (std::abs(weight - expected) <= allowed * expected + 1.2e-38) continue;
            wrong = "weights[" + std::to_string(row) + "][" + std::to_string(j) + "] is " + shown(weight) +
                    ", expected " + shown(expected) + "; of " + std::to_string(given.rows) + " x " +
                    std::to_string(columns) + " scores. " + what_is_wrong(own, columns, weight, j);
        }
    }
    require(wrong.empty(), wrong);
    scores.require_unchanged();
}

// Many columns and many rows; each with all kinds of scores.
void for_all_kinds(const std::vector<int>& sizes) {
    const auto try_both = [&](const std::string& data, const auto& make) {
        for_sizes(
            sizes,
            [&](int n) {
                if (n > 0) soften_and_compare(make(7, n));
                soften_and_compare(make(n, 5));
            },
            data);
    };
    try_both("each row about another number",
             [](int rows, int columns) { return about_one_number_each(rows, columns); });
    try_both("far apart", [](int rows, int columns) { return far_apart(rows, columns); });
    try_both("all scores of a row equal", [](int rows, int columns) { return all_equal(rows, columns); });
    for (const auto& [data, what] : {std::pair{"-inf behind some place of each row", Masked::rest},
                                     {"-inf at the beginning of each row", Masked::beginning},
                                     {"most scores are -inf", Masked::any}})
        try_both(data, [what](int rows, int columns) { return with_mask(about_one_number_each(rows, columns), what); });
}

}  // namespace
