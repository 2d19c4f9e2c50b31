int main() {
    using namespace matrix_multiply;
    const Shape shape{201, 130, 163};  // m, k, n
    const std::size_t depth = round_up(shape.k, slice_depth<float>);
    const std::size_t rows = round_up(shape.m, rounded_padding), columns = round_up(shape.n, rounded_padding);
    std::vector<float> a(rows * depth), b(columns * depth);  // b: a row for each column
    for (std::size_t l = 0; l < shape.k; ++l) {  // whole numbers so small that TF32 holds them, and all sums are exact
        for (std::size_t i = 0; i < shape.m; ++i) a[i * depth + l] = static_cast<float>(std::rand() % 15 - 7);
        for (std::size_t j = 0; j < shape.n; ++j) b[j * depth + l] = static_cast<float>(std::rand() % 15 - 7);
    }
    const DeviceArray<float> d_a(a), d_b(b), d_c(shape.m * shape.n);
    const Rounded<float> rounded{{d_a, rows, depth, depth}, {d_b, columns, depth, depth}, shape};

    const float ms = milliseconds([&] { {{function}}(rounded, {d_c, shape.m, shape.n, shape.n}); });
    std::vector<double> expected;
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            double sum = 0;
            for (std::size_t l = 0; l < shape.k; ++l) sum += a[i * depth + l] * b[j * depth + l];
            expected.push_back(sum);
        }
    std::printf("{{stage}}: %zu x %zu x %zu in %.4f ms; ", shape.m, shape.k, shape.n, ms);
    return compared(d_c, expected);
}
