int main() {
    using namespace attention;
    const Shape shape{2, 201, 64, true};  // heads, positions, numbers of each, causal
    const std::size_t count = elements(shape), n = shape.n, d = shape.d;
    std::vector<float> in[3], out(count);  // queries, keys, values
    float *d_in[3], *d_out, *d_scratch;
    Bf16* d_halves[3];
    for (int k = 0; k < 3; ++k) {  // eighths up to 1, which BF16 holds
        for (std::size_t i = 0; i < count; ++i) in[k].push_back(static_cast<float>(std::rand() % 17 - 8) / 8);
        const std::vector<Bf16> halves(in[k].begin(), in[k].end());
        CUDA_CHECK(cudaMalloc(&d_in[k], count * sizeof(float)));
        CUDA_CHECK(cudaMalloc(&d_halves[k], count * sizeof(Bf16)));
        CUDA_CHECK(cudaMemcpy(d_in[k], in[k].data(), count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d_halves[k], halves.data(), count * sizeof(Bf16), cudaMemcpyHostToDevice));
    }
    CUDA_CHECK(cudaMalloc(&d_out, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_scratch, 2 * n * n * sizeof(float)));
    const Input input{{d_in[0], d_in[1], d_in[2]}, {d_halves[0], d_halves[1], d_halves[2]}};

    const float ms = milliseconds([&] { {{function}}(shape, input, d_out, d_scratch); });

    CUDA_CHECK(cudaMemcpy(out.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < shape.heads * n; ++i) {
        std::vector<double> sums(d);
        double total = 0;
        for (std::size_t j = i / n * n; j <= i; ++j) {
            double score = 0;
            for (std::size_t c = 0; c < d; ++c) score += in[0][i * d + c] * in[1][j * d + c];
            const double weight = std::exp(score / 8);  // no score is so large that this overflows
            total += weight;
            for (std::size_t c = 0; c < d; ++c) sums[c] += weight * in[2][j * d + c];
        }
        for (std::size_t c = 0; c < d; ++c) wrong += !(std::abs(out[i * d + c] - sums[c] / total) < 0.004);  // of BF16
    }
    std::printf("{{stage}}: %d heads of %zu positions in %.4f ms; wrong elements: %zu\n", shape.heads, n, ms, wrong);
    for (float* array : {d_in[0], d_in[1], d_in[2], d_out, d_scratch}) CUDA_CHECK(cudaFree(array));
    for (Bf16* array : d_halves) CUDA_CHECK(cudaFree(array));
    return wrong > 0;
}
