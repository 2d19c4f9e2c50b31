int main() {
    const std::int64_t n = 10'000'019;
    double *d_sum, sum;
    pi::Workspace<double>* workspace;
    CUDA_CHECK(cudaMalloc(&d_sum, sizeof sum));
    CUDA_CHECK(cudaMalloc(&workspace, sizeof *workspace));
    CUDA_CHECK(cudaMemset(d_sum, 0xff, sizeof sum));  // NaN
    CUDA_CHECK(cudaMemset(workspace, 0, sizeof *workspace));

    const float ms = milliseconds([&] { pi::{{function}}(pi::all_terms(n), d_sum, workspace); });

    CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    double expected = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double x = (i + 0.5) / n;
        expected += 4 / (1 + x * x) / n;
    }
    std::printf("{{stage}}: %lld terms in %.4f ms; sum %.12f, on the CPU %.12f\n", (long long)n, ms, sum, expected);
    CUDA_CHECK(cudaFree(d_sum));
    CUDA_CHECK(cudaFree(workspace));
    return !(std::abs(sum - expected) < 1e-10);
}
