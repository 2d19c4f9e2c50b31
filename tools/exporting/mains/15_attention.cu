int main() {
    using namespace attention;
    const Shape shape{2, 201, 64, true};  // heads, positions, numbers of each, causal
    const std::size_t count = elements(shape), n = shape.n, d = shape.d;
    std::vector<float> in[3];  // queries, keys, values
    std::vector<Bf16> halves[3];
    for (int k = 0; k < 3; ++k) {  // eighths up to 1, which BF16 holds
        for (std::size_t i = 0; i < count; ++i) in[k].push_back(static_cast<float>(std::rand() % 17 - 8) / 8);
        halves[k].assign(in[k].begin(), in[k].end());
    }
    const OnDevice<float> d_in[]{OnDevice(in[0]), OnDevice(in[1]), OnDevice(in[2])};
    const OnDevice<Bf16> d_halves[]{OnDevice(halves[0]), OnDevice(halves[1]), OnDevice(halves[2])};
    const OnDevice<float> d_out(count), d_scratch(2 * n * n);
    const Input input{{d_in[0], d_in[1], d_in[2]}, {d_halves[0], d_halves[1], d_halves[2]}};

    const float ms = milliseconds([&] { {{function}}(shape, input, d_out, d_scratch); });

    const std::vector<float> out = d_out.values();
    std::size_t wrong = 0;
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
        for (std::size_t c = 0; c < d; ++c) wrong += !(std::abs(out[i * d + c] - sums[c] / total) < 0.004);  // of BF16
    }
    std::printf("{{stage}}: %d heads of %zu positions in %.4f ms; wrong elements: %zu\n", shape.heads, n, ms, wrong);
    return wrong > 0;
}
