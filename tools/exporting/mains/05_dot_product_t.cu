int main() {
    const std::size_t n = 1 << 20, count = trees::sums_of(n);
    std::vector<float> values(n), expected(count);
    for (std::size_t i = 0; i < n; ++i) {  // whole numbers so small that a float holds all sums, in any order
        values[i] = static_cast<float>(i % 1009) - 400;
        expected[i / trees::values_a_sum] += values[i];
    }
    const DeviceArray<float> d_values(values), d_sums(count);

    const float ms = milliseconds([&] { trees::{{function}}(d_values, n, d_sums); });
    std::printf("{{stage}}: %zu sums of %zu values in %.4f ms, %.0f GB/s; ", count, n, ms, 4e-6 * n / ms);
    return compared(d_sums, expected);
}
