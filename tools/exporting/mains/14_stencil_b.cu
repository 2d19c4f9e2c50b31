int main() {
    using namespace box;
    const Box box{152, 70, 40, 10, {0.25f, 0.125f}};
    const std::size_t row = box.width, plane = row * box.height, n = plane * box.depth;
    std::vector<float> in(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = 20 + static_cast<float>(i * 2654435761u % 1000) / 16;
    std::vector<float> from = in;
    for (int step = 1; step <= box.steps; ++step, from.swap(expected)) {
        expected = from;  // the faces stay as they are
        for (int z = 1; z < box.depth - 1; ++z)
            for (int y = 1; y < box.height - 1; ++y)
                for (std::size_t i = z * plane + y * row + 1; i < z * plane + (y + 1) * row - 1; ++i)
                    expected[i] = blend(box.weights, from[i], from[i - plane], from[i - row], from[i - 1], from[i + 1],
                                        from[i + row], from[i + plane]);
    }
    const DeviceArray<float> d_in(in), d_out(n), d_scratch(n);

    const float ms = milliseconds([&] { {{function}}(box, d_in, d_out, d_scratch); });
    std::printf("{{stage}}: %d steps of %d x %d x %d points in %.4f ms, %.1f * 10^9 points a second; ", box.steps, box.width,
                box.height, box.depth, ms, 1e-6 * box.steps * n / ms);
    return compared(d_out, from);
}
