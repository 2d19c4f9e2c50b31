int main() {
    using namespace attention;
    const Shape shape{2, 201, 64, true};  // heads, positions, numbers of each, causal
    const std::size_t count = elements(shape);
    std::vector<float> in[3];  // queries, keys, values: eighths up to 1, which BF16 holds
    for (auto& array : in)
        for (std::size_t i = 0; i < count; ++i) array.push_back(static_cast<float>(std::rand() % 17 - 8) / 8);
    const auto halves = [](const std::vector<float>& floats) { return std::vector<Bf16>(floats.begin(), floats.end()); };
    const DeviceArray<float> q(in[0]), k(in[1]), v(in[2]), d_out(count), d_scratch(2 * shape.n * shape.n);
    const DeviceArray<Bf16> half_q(halves(in[0])), half_k(halves(in[1])), half_v(halves(in[2]));
    const Input input{{q, k, v}, {half_q, half_k, half_v}};

    const float ms = milliseconds([&] { {{function}}(shape, input, d_out, d_scratch); });
    std::vector<double> expected(count);
    cpu(shape, {in[0].data(), in[1].data(), in[2].data()}, expected);
    std::printf("{{stage}}: %d heads of %d positions in %.4f ms; ", shape.heads, shape.n, ms);
    return compared(d_out, expected, [](float x, double y) { return std::abs(x - y) < 0.004; });  // of BF16
}
