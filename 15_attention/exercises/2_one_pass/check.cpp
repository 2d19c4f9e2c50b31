#include "../check_scores.cpp"

void weighted_means(const float* scores, const float* values, float* means, int rows, int columns);

namespace {

void average_and_compare(const Rows& given) {
    const int columns = given.columns;
    Input<float> scores("scores", given.scores);
    Input<float> values("values", similar_values<float>(columns));
    Output<float> means("means", given.rows);

    weighted_means(scores.data(), values.data(), means.data(), given.rows, columns);
    finish();

    const std::vector<float> got = means.values();
    std::string wrong;
    for (int row = 0; row < given.rows && wrong.empty(); ++row) {
        const float* own = &given.scores[static_cast<std::size_t>(row) * columns];
        const double most = *std::max_element(own, own + columns);
        double sum = 0, weighted = 0, magnitude = 0;
        for (int j = 0; j < columns; ++j) {
            const double weight = std::exp(own[j] - most);
            sum += weight;
            weighted += weight * values.values[j];
            magnitude += weight * std::abs(values.values[j]);
        }
        if (std::abs(got[row] - weighted / sum) <= allowed * magnitude / sum) continue;
        const int without = std::max(0, 32 - columns);
        wrong = "means[" + std::to_string(row) + "] is " + shown(got[row]) + ", expected " + shown(weighted / sum) +
                "; of " + shape_of(given) + ". " +
                about_row(own, columns, got[row],
                          without == 0 ? "" : ", and " + std::to_string(without) + " lanes of a warp have none");
    }
    require(wrong.empty(), wrong);
    scores.require_unchanged();
    values.require_unchanged();
}

}  // namespace

void check() {
    for_all_kinds({0, 1, 2, 31, 32, 33, 64, 257, 500}, average_and_compare);
    for_case("3 rows of 13003", [] { average_and_compare(about_one_number_each(3, 13'003)); });  // each beyond 48 KiB
    for_case("1201 rows of 3", [] {
        Rows given = about_one_number_each(1201, 3);
        given[2][1] = 0;  // a score as any other
        average_and_compare(given);
    });
}

void counted() {
    average_and_compare(about_one_number_each(64, 512));
}
