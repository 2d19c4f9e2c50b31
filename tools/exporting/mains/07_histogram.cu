int main() {
    using histogram::bins, histogram::Count;
    const std::size_t n = 1'000'003;
    std::vector<std::uint8_t> data(n);
    std::vector<Count> expected(bins);
    for (auto& value : data) ++expected[value = static_cast<std::uint8_t>(std::rand() / 7)];
    const DeviceArray<std::uint8_t> d_data(data);
    const DeviceArray<Count> d_counts(bins);

    const float ms = milliseconds([&] { histogram::{{function}}(d_data, n, d_counts); });
    std::printf("{{stage}}: %zu bytes in %.4f ms, %.0f GB/s; ", n, ms, 1e-6 * n / ms);
    return compared(d_counts, expected);
}
