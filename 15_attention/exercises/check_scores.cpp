// What exercises 15.1 and 15.2 check with: rows of scores that a careless softmax does not survive.

#include "checker.h"

#include <cmath>
#include <cstring>

using namespace exercise;

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

// Scores that are far from those that a careless maximum begins with: in one row all near -10^30, in the next near
// 10^30.
Rows huge(int rows, int columns) {
    Rows made{rows, columns, similar_values<float>(static_cast<std::size_t>(rows) * columns)};
    for (std::size_t k = 0; k < made.scores.size(); ++k)
        made.scores[k] = std::copysign(1e30f * made.scores[k], k / columns % 2 == 0 ? -1.0f : 1.0f);
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

// What to know of a wrong number that belongs to this row: its scores, `more`, and what makes a NaN.
std::string about_row(const float* scores, int columns, float got, const std::string& more) {
    unsigned bits;
    std::memcpy(&bits, &got, sizeof bits);
    if (bits == ~0u) return "Perhaps nothing was written there";
    const auto [least, most] = std::minmax_element(scores, scores + columns);
    const std::string of_row = columns == 1 ? "The only score of this row is " + shown(*most)
                                            : "The scores of this row go from " + shown(*least) + " to " + shown(*most);
    return of_row + more + (got != got ? ". inf / inf, 0 / 0 and inf - inf give nan: which of them is it?" : "");
}

std::string shape_of(const Rows& rows) {
    return std::to_string(rows.rows) + " x " + std::to_string(rows.columns) + " scores";
}

// Many columns and many rows; each with all kinds of scores. action: calls the answer and compares.
void for_all_kinds(const std::vector<int>& sizes, const std::function<void(const Rows& scores)>& action) {
    const auto try_both = [&](const std::string& data, const auto& make) {
        for_sizes(
            sizes,
            [&](int n) {
                if (n > 0) action(make(7, n));
                action(make(n, 5));
            },
            data);
    };
    try_both("each row about another number",
             [](int rows, int columns) { return about_one_number_each(rows, columns); });
    try_both("far apart", [](int rows, int columns) { return far_apart(rows, columns); });
    try_both("numbers about 10^30", [](int rows, int columns) { return huge(rows, columns); });
    try_both("all scores of a row equal", [](int rows, int columns) { return all_equal(rows, columns); });
    for (const auto& [data, what] : {std::pair{"-inf behind some place of each row", Masked::rest},
                                     {"-inf at the beginning of each row", Masked::beginning},
                                     {"most scores are -inf", Masked::any}})
        try_both(data, [what](int rows, int columns) { return with_mask(about_one_number_each(rows, columns), what); });
}

}  // namespace
