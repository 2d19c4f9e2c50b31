int main() {
    const std::size_t n = 1 << 20;
    std::vector<float> a(n), b(n);
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) {  // whole numbers so small that a float holds all sums, in any order
        a[i] = static_cast<float>(i % 7) - 3;
        b[i] = static_cast<float>(i % 5);
        expected += a[i] * b[i];
    }
    const DeviceArray<float> d_a(a), d_b(b), d_result(1);
    const DeviceArray<dot_product::Workspace> workspace(std::vector<dot_product::Workspace>(1));  // zeros

    const float ms = milliseconds([&] { dot_product::{{function}}(d_a, d_b, n, d_result, workspace); });

    const float result = d_result.to_host()[0];
    std::printf("{{stage}}: %zu pairs in %.4f ms, %.0f GB/s; sum %.0f, on the CPU %.0f\n", n, ms, 8e-6 * n / ms, result,
                expected);
    return !(result == expected);
}
