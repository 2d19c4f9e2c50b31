int main() {
    using namespace stencil;
    const Plate plate{1000, 700, 50, {0.5f, 0.125f}};
    const std::size_t n = std::size_t(plate.width) * plate.height;
    std::vector<float> in(n), expected(n), scratch(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = 20 + static_cast<float>(i * 2654435761u % 1000) / 16;
    cpu(plate, in, expected, scratch);
    const DeviceArray<float> d_in(in), d_out(n), d_scratch(n);

    const float ms = milliseconds([&] { {{function}}(plate, d_in, d_out, d_scratch); });
    std::printf("{{stage}}: %d steps of %d x %d points in %.4f ms, %.1f * 10^9 points a second; ", plate.steps, plate.width,
                plate.height, ms, 1e-6 * plate.steps * n / ms);
    return compared(d_out, expected);
}
