#include "../check_scores.cpp"

void softmax(const float* scores, float* weights, int rows, int columns);

namespace {

// How much of a weight may be wrong: what the roundings of a score near `most` and of its distance from it change,
// those of a sum of so many columns, and some of the exponential's own.
double allowed_for(double most, double score, int columns) {
    return std::min(allowed, 4e-6 + 1.2e-7 * (std::abs(most) + 2 * (most - score) + columns));
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
            if (std::abs(weight - expected) <= allowed_for(most, own[j], columns) * expected + 1.2e-38) continue;
            wrong = "weights[" + std::to_string(row) + "][" + std::to_string(j) + "] is " + shown(weight) +
                    ", expected " + shown(expected) + "; of " + shape_of(given) + ". " +
                    about_row(own, columns, weight, columns == 1 ? "" : ", and this weight's is " + shown(own[j]));
        }
    }
    require(wrong.empty(), wrong);
    scores.require_unchanged();
}

}  // namespace

void check() {
    for_all_kinds({0, 1, 2, 31, 33, 128, 129, 257}, soften_and_compare);
    for_case("5003 rows of 3", [] { soften_and_compare(about_one_number_each(5003, 3)); });
}

void counted() {
    soften_and_compare(about_one_number_each(4096, 16));
}
