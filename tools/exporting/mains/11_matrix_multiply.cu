int main() {
    using matrix_multiply::Matrix;
    const std::size_t m = 201, k = 130, n = 163{{stride}};
    std::vector<float> a(m * {{k}}), b(k * {{n}});  // whole numbers so small that all sums are exact
    for (float& x : a) x = static_cast<float>(std::rand() % 7 - 3);
    for (float& x : b) x = static_cast<float>(std::rand() % 7 - 3);
    const DeviceArray<float> d_a(a), d_b(b), d_c(m * {{n}});
    const Matrix<const float> view_a{d_a, m, k, {{k}}}, view_b{d_b, k, n, {{n}}};

    const float ms = milliseconds([&] { matrix_multiply::{{function}}(view_a, view_b, {d_c, m, n, {{n}}}); });

    const auto c = d_c.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t l = 0; l < k; ++l) sum += a[i * {{k}} + l] * b[l * {{n}} + j];
            wrong += !(c[i * {{n}} + j] == sum);
        }
    std::printf("{{stage}}: %zu x %zu x %zu in %.4f ms, %.0f GFLOP/s; wrong elements: %zu\n", m, k, n, ms,
                2e-6 * m * k * n / ms, wrong);
    return wrong > 0;
}
