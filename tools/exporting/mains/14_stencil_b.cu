int main() {
    using namespace box;
    const Box box{152, 70, 40, 10, {0.25f, 0.125f}};
    const std::size_t n = std::size_t(box.width) * box.height * box.depth;
    std::vector<float> in(n), expected(n), scratch(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = 20 + static_cast<float>(i * 2654435761u % 1000) / 16;
    cpu(box, in, expected, scratch);
    const DeviceArray<float> d_in(in), d_out(n), d_scratch(n);

    const float ms = milliseconds([&] { {{function}}(box, d_in, d_out, d_scratch); });
    std::printf("{{stage}}: %d steps of %d x %d x %d points in %.4f ms, %.1f * 10^9 points a second; ", box.steps, box.width,
                box.height, box.depth, ms, 1e-6 * box.steps * n / ms);
    return compared(d_out, expected);
}
