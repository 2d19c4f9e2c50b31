int main() {
    const std::size_t n = 1'000'003;
    std::vector<int> values(n);
    long long expected = 0, result;
    for (int& value : values) expected += value = std::rand();
    int* d_values;
    long long* d_result;
    CUDA_CHECK({{malloc}}(&d_values, n * sizeof(int)));
    CUDA_CHECK({{malloc}}(&d_result, sizeof result));
    CUDA_CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_result, 0xff, sizeof result));

    const float ms = milliseconds([&] { atomic_sum::{{function}}(d_values, n, d_result); });

    CUDA_CHECK(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
    const bool right = {{right}};
    std::printf("{{stage}}: %zu ints in %.4f ms, %.0f GB/s; sum %lld, on the CPU %lld\n", n, ms, 4e-6 * n / ms, result,
                expected);
    CUDA_CHECK(cudaFree(d_values));
    CUDA_CHECK(cudaFree(d_result));
    return !right;
}
