int main() {
    using namespace softmax;
    const Shape shape{203, 1000};  // rows, columns
    const std::size_t count = elements(shape);
    std::vector<float> in(count);
    for (float& x : in) x = 80 + static_cast<float>(std::rand() % 2000) / 100;  // exp(88.8) is more than a float holds
    const DeviceArray<float> d_in(in), d_out(count);

    const float ms = milliseconds([&] { {{function}}(shape, d_in, d_out); });
    std::vector<double> expected;
    for (std::size_t i = 0; i < count; i += shape.columns) {
        double sum = 0;
        for (int j = 0; j < shape.columns; ++j) sum += std::exp(double{in[i + j]});
        for (int j = 0; j < shape.columns; ++j) expected.push_back(std::exp(double{in[i + j]}) / sum);
    }
    std::printf("{{stage}}: %d rows of %d numbers in %.4f ms; ", shape.rows, shape.columns, ms);
    return compared(d_out, expected, [](float x, double y) { return std::abs(x / y - 1) < 1e-3; });
}
