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
    std::vector<Rgba> expected(width * height);
    for (unsigned i = 0; i < expected.size(); ++i) {
        const float x = static_cast<float>(int(i % width) - int(width / 2));
        const float y = static_cast<float>(int(i / width) - int(height / 2));
        float nearest = -1e30f;
        for (const Sphere& s : spheres) {
            const float square = square_of_dz(shape_of(s), x, y), dz = square > 0 ? std::sqrt(square) : -2e30f;
            if (s.z + dz > nearest) nearest = s.z + dz, expected[i] = shaded(look_of(s), dz);
        }
    }
    std::printf("{{stage}}: %u x %u pixels in %.4f ms; ", width, height, ms);
    return compared(d_pixels, expected, [](Rgba a, Rgba b) { return std::memcmp(&a, &b, sizeof a) == 0; });
}
