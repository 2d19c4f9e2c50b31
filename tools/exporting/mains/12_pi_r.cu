int main() {
    const points::Points points{1, 0, 10'000'019};
    const DeviceArray<unsigned long long> d_hits(1);

    const float ms = milliseconds([&] { points::{{function}}(points, d_hits); });
    std::vector<unsigned long long> expected(1);
    for (std::int64_t i = points.first; i < points.last; ++i) expected[0] += points::is_hit(points.seed, i);
    const double pi = 4.0 * d_hits.to_host()[0] / points.last;
    std::printf("{{stage}}: %lld points in %.4f ms; pi is about %.5f; ", (long long)points.last, ms, pi);
    return compared(d_hits, expected);
}
