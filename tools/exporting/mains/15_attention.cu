int main() {
    using namespace attention;
    const Shape shape{2, 201, 64, true};  // heads, positions, numbers of each, causal
    const std::size_t count = elements(shape), n = shape.n, d = shape.d;
    std::vector<float> in[3];  // queries, keys, values: eighths up to 1, which BF16 holds
    for (auto& array : in)
        for (std::size_t i = 0; i < count; ++i) array.push_back(static_cast<float>(std::rand() % 17 - 8) / 8);
    const auto halves = [](const std::vector<float>& floats) { return std::vector<Bf16>(floats.begin(), floats.end()); };
    const DeviceArray<float> q(in[0]), k(in[1]), v(in[2]), d_out(count), d_scratch(2 * n * n);
    const DeviceArray<Bf16> half_q(halves(in[0])), half_k(halves(in[1])), half_v(halves(in[2]));
    const Input input{{q, k, v}, {half_q, half_k, half_v}};

    const float ms = milliseconds([&] { {{function}}(shape, input, d_out, d_scratch); });
    std::vector<double> expected;
    for (std::size_t i = 0; i < shape.heads * n; ++i) {
        std::vector<double> sums(d);
        double total = 0;
        for (std::size_t j = i / n * n; j <= i; ++j) {
            double score = 0;
            for (std::size_t c = 0; c < d; ++c) score += in[0][i * d + c] * in[1][j * d + c];
            const double weight = std::exp(score / 8);  // no score is so large that this overflows
            total += weight;
            for (std::size_t c = 0; c < d; ++c) sums[c] += weight * in[2][j * d + c];
        }
        for (const double sum : sums) expected.push_back(sum / total);
    }
    std::printf("{{stage}}: %d heads of %zu positions in %.4f ms; ", shape.heads, n, ms);
    return compared(d_out, expected, [](float x, double y) { return std::abs(x - y) < 0.004; });  // of BF16
}
