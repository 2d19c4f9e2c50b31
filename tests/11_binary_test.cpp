#include "11_matrix_multiply/binary.h"
#include "11_matrix_multiply/pack.h"
#include "testing.h"

using matrix_multiply::DeviceMatrix;
using matrix_multiply::Rows;
using matrix_multiply::Shape;
using matrix_multiply::words_for;

TEST_CASE("every binary stage gives the product of the signs", "[11_matrix_multiply]") {
    const auto& stage = GENERATE(Catch::Generators::from_range(std::begin(matrix_multiply::binary_stages),
                                                               std::end(matrix_multiply::binary_stages)));
    const auto shape = GENERATE(values<Shape>({{1, 1, 1}, {2, 2, 2}, {31, 31, 31}, {32, 32, 32}, {33, 33, 33}}));
    const auto [m, k, n] = shape;
    CAPTURE(stage.name, m, k, n);
    const auto a = random_values<float>(m * k), b = random_values<float>(k * n);
    std::vector<int> expected(m * n), actual(m * n);
    matrix_multiply::binary_cpu(a, b, shape, expected);

    DeviceMatrix<float> d_a(m, k, Rows::dense), d_b(k, n, Rows::dense);
    DeviceMatrix<std::uint32_t> a_packed(m, words_for(k), Rows::dense), b_packed(words_for(k), n, Rows::dense);
    DeviceMatrix<int> c(m, n, Rows::dense);
    d_a.copy_from(a);
    d_b.copy_from(b);
    matrix_multiply::pack_rows(d_a.view(), a_packed.view());
    matrix_multiply::pack_columns(d_b.view(), b_packed.view());
    c.poison();
    stage.run(a_packed.view(), b_packed.view(), k, c.view());
    c.copy_to(actual);
    REQUIRE_SAME(actual, expected);
}
