int main() {
    const std::size_t n = 1 << 20;
    std::vector<unsigned> in(n), out(n), expected(n);
    unsigned sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        in[i] = static_cast<unsigned>(i * 2654435761u >> 28);  // 0 to 15
        expected[i] = sum += in[i];
    }
    unsigned *d_in, *d_out;
    void* scratch;
    CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&scratch, scan::scratch_bytes(n)));
    CUDA_CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));

    const float ms = milliseconds([&] { scan::{{function}}(d_in, d_out, n, scratch); });

    CUDA_CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::printf("{{stage}}: %zu sums in %.4f ms, %.0f GB/s; %s as on the CPU\n", n, ms, 8e-6 * n / ms,
                out == expected ? "all" : "not all");
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(scratch));
    return !(out == expected);
}
