int main() {
    const std::size_t n = 2003;
    std::vector<float> values(n), sorted(n), expected;
    for (float& value : values) value = static_cast<float>(std::rand() % 10'000) - 5000;
    float *d_values, *d_sorted;
    CUDA_CHECK(cudaMalloc(&d_values, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_sorted, n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_sorted, 0xff, n * sizeof(float)));  // NaN

    const float ms = milliseconds([&] { bubble_sort::{{function}}(d_values, d_sorted, n); });

    CUDA_CHECK(cudaMemcpy(sorted.data(), d_sorted, n * sizeof(float), cudaMemcpyDeviceToHost));
    expected = values;
    std::sort(expected.begin(), expected.end());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += !(sorted[i] == expected[i]);
    std::printf("{{stage}}: %zu floats in %.4f ms; at the wrong place: %zu\n", n, ms, wrong);
    CUDA_CHECK(cudaFree(d_values));
    CUDA_CHECK(cudaFree(d_sorted));
    return wrong > 0;
}
