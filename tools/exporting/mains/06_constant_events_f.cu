int main() {
    using namespace filter;
    const Size size{161, 120};
    const int side = 5, n = size.width * size.height;
    Filter filter{side, {1.0f / 81, 0}, std::vector<float>(side * side), {1, 2, 3, 2, 1}};  // a tent
    for (int i = 0; i < side * side; ++i) filter.weights[i] = filter.line[i / side] * filter.line[i % side];
    std::vector<float> in(n);
    for (float& pixel : in) pixel = static_cast<float>(std::rand() % 256);
    const DeviceArray<float> d_in(in), d_out(n), d_scratch(n);

    {{load}}(filter);
    const float ms = milliseconds([&] { {{function}}(filter, size, d_in, d_out, d_scratch); });
    std::vector<float> expected;
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            float sum = 0;
            for (int dy = 0; dy < side; ++dy)
                for (int dx = 0; dx < side; ++dx)
                    sum += filter.weights[dy * side + dx] * in[clamped(y + dy - side / 2, size.height) * size.width +
                                                               clamped(x + dx - side / 2, size.width)];
            expected.push_back(std::fma(sum, filter.scale.factor, filter.scale.offset));
        }
    std::printf("{{stage}}: %d x %d pixels in %.4f ms; ", size.width, size.height, ms);
    return compared(d_out, expected);
}
