int main() {
    const std::size_t n = 1 << 20;
    std::vector<float> a(n), b(n);
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) {  // whole numbers so small that a float holds all sums, in any order
        a[i] = static_cast<float>(i % 7) - 3;
        b[i] = static_cast<float>(i % 5);
        expected += a[i] * b[i];
    }
    float *d_a, *d_b, *d_result, result;
    dot_product::Workspace* workspace;
    CUDA_CHECK(cudaMalloc(&d_a, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_b, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_result, sizeof(float)));
    CUDA_CHECK(cudaMalloc(&workspace, sizeof *workspace));
    CUDA_CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(workspace, 0, sizeof *workspace));

    const float ms = milliseconds([&] { dot_product::{{function}}(d_a, d_b, n, d_result, workspace); });

    CUDA_CHECK(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("{{stage}}: %zu pairs in %.4f ms, %.0f GB/s; sum %.0f, on the CPU %.0f\n", n, ms, 8e-6 * n / ms, result,
                expected);
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    CUDA_CHECK(cudaFree(d_result));
    CUDA_CHECK(cudaFree(workspace));
    return !(result == expected);
}
