int main() {
    using histogram::bins, histogram::Count;
    const std::size_t n = 1'000'003;
    std::vector<std::uint8_t> data(n);
    std::vector<Count> counts(bins), expected(bins);
    for (auto& value : data) ++expected[value = static_cast<std::uint8_t>(std::rand() / 7)];
    std::uint8_t* d_data;
    Count* d_counts;
    CUDA_CHECK(cudaMalloc(&d_data, n));
    CUDA_CHECK(cudaMalloc(&d_counts, bins * sizeof(Count)));
    CUDA_CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_counts, 0xff, bins * sizeof(Count)));

    const float ms = milliseconds([&] { histogram::{{function}}(d_data, n, d_counts); });

    CUDA_CHECK(cudaMemcpy(counts.data(), d_counts, bins * sizeof(Count), cudaMemcpyDeviceToHost));
    unsigned wrong = 0;
    for (unsigned v = 0; v < bins; ++v) wrong += counts[v] != expected[v];
    std::printf("{{stage}}: %zu bytes in %.4f ms, %.0f GB/s; wrong counters: %u\n", n, ms, 1e-6 * n / ms, wrong);
    CUDA_CHECK(cudaFree(d_data));
    CUDA_CHECK(cudaFree(d_counts));
    return wrong > 0;
}
