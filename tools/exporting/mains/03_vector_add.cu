int main() {
    const std::size_t n = 1 << 20;
    std::vector<float> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = -1.0f * i;
        b[i] = 0.5f * i;
    }
    const DeviceArray<float> d_a(a), d_b(b), d_c(n);

    const float ms = milliseconds([&] { vector_add::{{function}}(d_a, d_b, d_c, n); });

    const auto c = d_c.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += !(c[i] == a[i] + b[i]);
    std::printf("{{stage}}: %zu sums in %.4f ms, %.0f GB/s; wrong: %zu\n", n, ms, 12e-6 * n / ms, wrong);
    return wrong > 0;
}
