int main() {
    using namespace ray_tracer;
    const unsigned width = 161, height = 120;
    std::vector<Sphere> spheres(40);
    for (Sphere& s : spheres) {
        const auto random = [] { return static_cast<float>(std::rand() % 1024) / 1024; };
        s = {random(), random(), random(), 5 + 25 * random(), 160 * random() - 80, 120 * random() - 60, 100 * random()};
    }
    const DeviceArray<Rgba> d_pixels{std::vector<Rgba>(width * height)};  // transparent, as no pixel of the picture is

    {{load}}(spheres);
    const float ms = milliseconds([&] { {{function}}({d_pixels, width, height}); });

    const auto pixels = d_pixels.to_host();
    std::size_t wrong = 0;
    for (unsigned i = 0; i < pixels.size(); ++i) {
        const float x = static_cast<float>(int(i % width) - int(width / 2));
        const float y = static_cast<float>(int(i / width) - int(height / 2));
        float nearest = -1e30f;
        Rgba expected;
        for (const Sphere& s : spheres) {
            const float square = square_of_dz(shape_of(s), x, y), dz = square > 0 ? std::sqrt(square) : -2e30f;
            if (s.z + dz > nearest) nearest = s.z + dz, expected = shaded(look_of(s), dz);
        }
        wrong += std::memcmp(&pixels[i], &expected, sizeof expected) != 0;
    }
    std::printf("{{stage}}: %u x %u pixels in %.4f ms; other than on the CPU: %zu\n", width, height, ms, wrong);
    return wrong > 0;
}
