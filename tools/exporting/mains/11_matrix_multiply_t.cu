int main() {
    using namespace matrix_multiply;
    const Shape shape{201, 130, 163};  // m, k, n
    const std::size_t depth = round_up(shape.k, slice_depth<float>);
    const std::size_t rows = round_up(shape.m, rounded_padding), columns = round_up(shape.n, rounded_padding);
    std::vector<float> a(rows * depth), b(columns * depth), c(shape.m * shape.n);  // b: a row for each column
    for (std::size_t l = 0; l < shape.k; ++l) {  // whole numbers so small that TF32 holds them, and all sums are exact
        for (std::size_t i = 0; i < shape.m; ++i) a[i * depth + l] = static_cast<float>(std::rand() % 15 - 7);
        for (std::size_t j = 0; j < shape.n; ++j) b[j * depth + l] = static_cast<float>(std::rand() % 15 - 7);
    }
    float *d_a, *d_b, *d_c;
    CUDA_CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_c, 0xff, c.size() * sizeof(float)));  // NaN
    const Rounded<float> rounded{{d_a, rows, depth, depth}, {d_b, columns, depth, depth}, shape};

    const float ms = milliseconds([&] { {{function}}(rounded, {d_c, shape.m, shape.n, shape.n}); });

    CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            double sum = 0;
            for (std::size_t l = 0; l < shape.k; ++l) sum += a[i * depth + l] * b[j * depth + l];
            wrong += !(c[i * shape.n + j] == sum);
        }
    std::printf("{{stage}}: %zu x %zu x %zu in %.4f ms; wrong elements: %zu\n", shape.m, shape.k, shape.n, ms, wrong);
    for (float* p : {d_a, d_b, d_c}) CUDA_CHECK(cudaFree(p));
    return wrong > 0;
}
