int main() {
    using namespace matrix_multiply;
    const Shape shape{150, 1000, 130};  // m, k, n
    const std::size_t words = words_for(shape.k), depth = round_up(words, word_padding);
    const std::size_t rows = round_up(shape.m, tile_padding), columns = round_up(shape.n, tile_padding);
    std::vector<Word> a(rows * depth), b(depth * columns);
    std::vector<int> ones_a(rows), ones_b(columns), c(shape.m * shape.n);
    for (std::size_t l = 0; l < shape.k; ++l) {
        const Word bit = Word{1} << l % 32;  // set for +1, not set for -1
        for (std::size_t i = 0; i < shape.m; ++i)
            if (std::rand() & 8) a[i * depth + l / 32] |= bit, ++ones_a[i];
        for (std::size_t j = 0; j < shape.n; ++j)
            if (std::rand() & 8) b[l / 32 * columns + j] |= bit, ++ones_b[j];
    }
    Word *d_a, *d_b;
    int *d_ones_a, *d_ones_b, *d_c;
    const auto upload = [](auto*& pointer, const auto& values) {
        CUDA_CHECK(cudaMalloc(&pointer, values.size() * sizeof *pointer));
        CUDA_CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof *pointer, cudaMemcpyHostToDevice));
    };
    upload(d_a, a), upload(d_b, b), upload(d_ones_a, ones_a), upload(d_ones_b, ones_b), upload(d_c, c);
    const Packed packed{{d_a, rows, depth, depth}, {d_b, depth, columns, columns}, d_ones_a, d_ones_b, shape, words};

    const float ms = milliseconds([&] { {{function}}(packed, {d_c, shape.m, shape.n, shape.n}); });

    CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(int), cudaMemcpyDeviceToHost));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            int sum = 0;
            for (std::size_t l = 0; l < shape.k; ++l)
                sum += ((a[i * depth + l / 32] ^ b[l / 32 * columns + j]) >> l % 32 & 1) ? -1 : 1;
            wrong += c[i * shape.n + j] != sum;
        }
    std::printf("{{stage}}: %zu x %zu x %zu in %.4f ms; wrong elements: %zu\n", shape.m, shape.k, shape.n, ms, wrong);
    for (void* p : {(void*)d_a, (void*)d_b, (void*)d_ones_a, (void*)d_ones_b, (void*)d_c}) CUDA_CHECK(cudaFree(p));
    return wrong > 0;
}
