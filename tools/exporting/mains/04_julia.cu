int main() {
    using namespace julia;
    View view;
    view.width = 257;
    view.height = 201;
    const std::size_t n = std::size_t(view.width) * view.height;
    std::vector<Rgba> pixels(n);
    Rgba* d_pixels;
    CUDA_CHECK(cudaMalloc(&d_pixels, n * sizeof(Rgba)));
    CUDA_CHECK(cudaMemset(d_pixels, 0, n * sizeof(Rgba)));  // transparent, as no pixel of the picture is

    const float ms = milliseconds([&] { {{function}}(view, d_pixels); });

    CUDA_CHECK(cudaMemcpy(pixels.data(), d_pixels, n * sizeof(Rgba), cudaMemcpyDeviceToHost));
    std::size_t wrong = 0;
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
            const Escape out = escape<{{arithmetic}}>(point_at(view, x, y), view.c, view.iterations);
            const Rgba expected = colour(view.palette, out), &pixel = pixels[x + std::size_t(y) * view.width];
            wrong += std::memcmp(&pixel, &expected, sizeof pixel) != 0;
        }
    // Without --fmad=false, nvcc may round otherwise than the host, and near the edge of the set a last bit decides.
    std::printf("{{stage}}: %d x %d pixels in %.4f ms; other than on the CPU: %zu\n", view.width, view.height, ms, wrong);
    CUDA_CHECK(cudaFree(d_pixels));
    return wrong > n / 100;
}
