int main() {
    using namespace stencil;
    const Plate plate{1000, 700, 50, {0.5f, 0.125f}};
    const std::size_t n = std::size_t(plate.width) * plate.height;
    std::vector<float> in(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = 20 + static_cast<float>(i * 2654435761u % 1000) / 16;
    std::vector<float> from = in;
    for (int step = 1; step <= plate.steps; ++step, from.swap(expected)) {
        expected = from;  // the border stays as it is
        for (int y = 1; y < plate.height - 1; ++y)
            for (std::size_t i = std::size_t(y) * plate.width + 1; i < std::size_t(y + 1) * plate.width - 1; ++i)
                expected[i] = blend(plate.weights, from[i], from[i - plate.width], from[i - 1], from[i + 1],
                                    from[i + plate.width]);
    }
    const DeviceArray<float> d_in(in), d_out(n), d_scratch(n);

    const float ms = milliseconds([&] { {{function}}(plate, d_in, d_out, d_scratch); });
    std::printf("{{stage}}: %d steps of %d x %d points in %.4f ms, %.1f * 10^9 points a second; ", plate.steps, plate.width,
                plate.height, ms, 1e-6 * plate.steps * n / ms);
    return compared(d_out, from);
}
