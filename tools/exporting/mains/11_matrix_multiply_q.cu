/// The format of the numbers: Int8 where the stage takes it.
template <class F>
auto takes(int) -> decltype(matrix_multiply::{{function}}(std::declval<const matrix_multiply::Quantized<F>&>(),
                                                          std::declval<matrix_multiply::Matrix<typename F::Sum>>()),
                            std::true_type{});
template <class F>
std::false_type takes(...);

int main() {
    using namespace matrix_multiply;
    using F = std::conditional_t<decltype(takes<Int8>(0))::value, Int8, E4m3Blocks>;
    const Shape shape{150, 300, 130};  // m, k, n
    const std::size_t depth = round_up(shape.k, block_depth), blocks = depth / block_depth;
    const std::size_t rows = round_up(shape.m, eight_padding), columns = round_up(shape.n, eight_padding);
    std::vector<F::Element> a(rows * depth), b(columns * depth);  // b: a row for each column
    for (std::size_t l = 0; l < shape.k; ++l) {  // whole numbers so small that all sums are exact, and scales of 1
        for (std::size_t i = 0; i < shape.m; ++i) a[i * depth + l] = F::Element(std::rand() % 7 - 3);
        for (std::size_t j = 0; j < shape.n; ++j) b[j * depth + l] = F::Element(std::rand() % 7 - 3);
    }
    const DeviceArray<F::Element> d_a(a), d_b(b);
    const DeviceArray<F::Sum> d_c(shape.m * shape.n);
    const DeviceArray<float> d_ones(std::vector<float>(std::max(rows, columns) * blocks, 1.0f));
    const Quantized<F> in{{d_a, rows, depth, depth},
                          {d_b, columns, depth, depth},
                          {d_ones, blocks, rows, rows},
                          {d_ones, blocks, columns, columns},
                          shape};

    float ms = 0;
    try {
        ms = milliseconds([&] { {{function}}(in, {d_c, shape.m, shape.n, shape.n}); });
    } catch (const usage_error& error) {  // the emulator has no wgmma for FP8
        std::printf("{{stage}}: left out: %s\n", error.what());
        return 0;
    }

    std::vector<double> expected;
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            double sum = 0;
            for (std::size_t l = 0; l < shape.k; ++l)
                sum += static_cast<float>(a[i * depth + l]) * static_cast<float>(b[j * depth + l]);
            expected.push_back(sum);
        }
    std::printf("{{stage}}: %zu x %zu x %zu in %.4f ms; ", shape.m, shape.k, shape.n, ms);
    return compared(d_c, expected);
}
