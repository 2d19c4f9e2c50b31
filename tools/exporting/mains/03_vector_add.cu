int main() {
    const std::size_t n = 1 << 20;
    std::vector<float> a(n), b(n), c(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = -1.0f * i;
        b[i] = 0.5f * i;
    }
    float *d_a, *d_b, *d_c;
    CUDA_CHECK(cudaMalloc(&d_a, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_b, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_c, n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_c, 0xff, n * sizeof(float)));  // NaN

    const float ms = milliseconds([&] { vector_add::{{function}}(d_a, d_b, d_c, n); });

    CUDA_CHECK(cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += !(c[i] == a[i] + b[i]);
    std::printf("{{stage}}: %zu sums in %.4f ms, %.0f GB/s; wrong: %zu\n", n, ms, 12e-6 * n / ms, wrong);
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    CUDA_CHECK(cudaFree(d_c));
    return wrong > 0;
}
