#include "11_matrix_multiply/matrix_multiply.h"

#include <cmath>

#include "testing.h"

using matrix_multiply::Matrix;
using matrix_multiply::Shape;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// How a matrix lies in memory: its first element `start` elements behind a multiple of 256 bytes, and `gap` more
/// between one row's end and the next one's start.
struct Layout {
    std::size_t start, gap;
};

/// A matrix in device memory with NaNs before it, after it and between its rows.
class Fenced {
  public:
    Fenced(std::size_t rows, std::size_t columns, Layout layout)
        : rows_(rows),
          columns_(columns),
          stride_(columns + layout.gap),
          begin_(fence + layout.start),
          buffer_(poisoned<float>(rows * stride_ + layout.start + 2 * fence)) {}

    Fenced(std::size_t rows, std::size_t columns, Layout layout, const std::vector<float>& elements)
        : Fenced(rows, columns, layout) {
        std::vector<float> all(buffer_.size(), not_a_number);
        for (std::size_t index = 0; index < elements.size(); ++index) all[place_of(index)] = elements[index];
        buffer_.copy_from(all);
    }

    Matrix<float> view() { return {buffer_.data() + begin_, rows_, columns_, stride_}; }

    /// The elements, and whether all around them is as it was.
    std::vector<float> elements() const {
        std::vector<float> all = buffer_.to_host(), inside(rows_ * columns_);
        for (std::size_t index = 0; index < inside.size(); ++index)
            inside[index] = std::exchange(all[place_of(index)], not_a_number);
        REQUIRE(std::all_of(all.begin(), all.end(), [](float x) { return std::isnan(x); }));
        return inside;
    }

  private:
    static constexpr std::size_t fence = 256;

    std::size_t place_of(std::size_t index) const { return begin_ + index / columns_ * stride_ + index % columns_; }

    std::size_t rows_, columns_, stride_, begin_;
    DeviceBuffer<float> buffer_;
};

auto any_stage() {
    return Catch::Generators::from_range(std::begin(matrix_multiply::stages), std::end(matrix_multiply::stages));
}

/// Whole numbers so small that a float holds every sum of them on the way.
std::vector<float> small_whole_numbers(std::size_t n) {
    std::vector<float> values(n);
    const auto random = random_values<std::uint32_t>(n);
    std::transform(random.begin(), random.end(), values.begin(), [](std::uint32_t r) { return r % 15 - 7.0f; });
    return values;
}

std::vector<float> product_on_device(matrix_multiply::Launch* multiply, const std::vector<float>& a,
                                     const std::vector<float>& b, Shape shape, Layout a_layout = {},
                                     Layout b_layout = {}, Layout c_layout = {}) {
    Fenced d_a(shape.m, shape.k, a_layout, a), d_b(shape.k, shape.n, b_layout, b), d_c(shape.m, shape.n, c_layout);
    multiply(d_a.view(), d_b.view(), d_c.view());
    CUDA_CHECK(cudaDeviceSynchronize());
    return d_c.elements();
}

std::vector<double> product(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
    std::vector<double> c(shape.m * shape.n);
    matrix_multiply::cpu(a, b, shape, c);
    return c;
}

}  // namespace

TEST_CASE("every stage takes every element once", "[11_matrix_multiply]") {
    const auto& stage = GENERATE(any_stage());
    const auto shape =
        GENERATE(values<Shape>({{1, 1, 1}, {2, 2, 2}, {31, 31, 31}, {32, 32, 32}, {33, 33, 33}, {63, 63, 63}}));
    CAPTURE(stage.name, shape.m, shape.k, shape.n);
    const auto a = small_whole_numbers(shape.m * shape.k), b = small_whole_numbers(shape.k * shape.n);
    const auto exact = product(a, b, shape);
    const std::vector<float> expected(exact.begin(), exact.end());
    REQUIRE_SAME(product_on_device(stage.run, a, b, shape), expected);
}
