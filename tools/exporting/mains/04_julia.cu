int main() {
    using namespace julia;
    View view;
    view.width = 257;
    view.height = 201;
    const std::size_t n = std::size_t(view.width) * view.height;
    const DeviceArray<Rgba> d_pixels{std::vector<Rgba>(n)};  // transparent, as no pixel of the picture is

    const float ms = milliseconds([&] { {{function}}(view, d_pixels); });

    const auto pixels = d_pixels.to_host();
    std::size_t wrong = 0;
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
            const Escape out = escape<{{arithmetic}}>(point_at(view, x, y), view.c, view.iterations);
            const Rgba expected = colour(view.palette, out), &pixel = pixels[x + std::size_t(y) * view.width];
            wrong += std::memcmp(&pixel, &expected, sizeof pixel) != 0;
        }
    // Without --fmad=false, nvcc may round otherwise than the host, and near the edge of the set a last bit decides.
    std::printf("{{stage}}: %d x %d pixels in %.4f ms; other than on the CPU: %zu\n", view.width, view.height, ms, wrong);
    return wrong > n / 100;
}
