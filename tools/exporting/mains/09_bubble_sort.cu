int main() {
    const std::size_t n = 2003;
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(std::rand() % 10'000) - 5000;
    const DeviceArray<float> d_values(values), d_sorted(n);

    const float ms = milliseconds([&] { bubble_sort::{{function}}(d_values, d_sorted, n); });

    const auto sorted = d_sorted.to_host();
    std::vector<float> expected = values;
    std::sort(expected.begin(), expected.end());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += !(sorted[i] == expected[i]);
    std::printf("{{stage}}: %zu floats in %.4f ms; at the wrong place: %zu\n", n, ms, wrong);
    return wrong > 0;
}
