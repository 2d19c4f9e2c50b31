int main() {
    const std::size_t n = 2003;
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(std::rand() % 10'000) - 5000;
    const DeviceArray<float> d_values(values), d_sorted(n);

    const float ms = milliseconds([&] { bubble_sort::{{function}}(d_values, d_sorted, n); });
    std::printf("{{stage}}: %zu floats in %.4f ms; ", n, ms);
    std::sort(values.begin(), values.end());
    return compared(d_sorted, values);
}
