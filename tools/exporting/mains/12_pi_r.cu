int main() {
    const points::Points points{1, 0, 10'000'019};
    const DeviceArray<unsigned long long> d_hits(1);

    const float ms = milliseconds([&] { points::{{function}}(points, d_hits); });

    const unsigned long long hits = d_hits.to_host()[0];
    unsigned long long expected = 0;
    for (std::int64_t i = points.first; i < points.last; ++i) expected += points::is_hit(points.seed, i);
    std::printf("{{stage}}: %lld points in %.4f ms; %llu hits, on the CPU %llu; pi is about %.5f\n",
                (long long)points.last, ms, hits, expected, 4.0 * hits / points.last);
    return hits != expected;
}
