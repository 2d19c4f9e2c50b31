int main() {
    const std::int64_t n = 10'000'019;
    const DeviceArray<double> d_sum(1);
    const DeviceArray<pi::Workspace<double>> workspace(std::vector<pi::Workspace<double>>(1));  // zeros

    const float ms = milliseconds([&] { pi::{{function}}(pi::all_terms(n), d_sum, workspace); });

    const double sum = d_sum.to_host()[0];
    double expected = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double x = (i + 0.5) / n;
        expected += 4 / (1 + x * x) / n;
    }
    std::printf("{{stage}}: %lld terms in %.4f ms; sum %.12f, on the CPU %.12f\n", (long long)n, ms, sum, expected);
    return !(std::abs(sum - expected) < 1e-10);
}
