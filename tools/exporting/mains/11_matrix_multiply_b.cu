int main() {
    using namespace matrix_multiply;
    const Shape shape{150, 1000, 130};  // m, k, n
    const std::size_t words = words_for(shape.k), depth = round_up(words, word_padding);
    const std::size_t rows = round_up(shape.m, tile_padding), columns = round_up(shape.n, tile_padding);
    std::vector<Word> a(rows * depth), b(depth * columns);
    std::vector<int> ones_a(rows), ones_b(columns);
    for (std::size_t l = 0; l < shape.k; ++l) {
        const Word bit = Word{1} << l % 32;  // set for +1, not set for -1
        for (std::size_t i = 0; i < shape.m; ++i)
            if (std::rand() & 8) a[i * depth + l / 32] |= bit, ++ones_a[i];
        for (std::size_t j = 0; j < shape.n; ++j)
            if (std::rand() & 8) b[l / 32 * columns + j] |= bit, ++ones_b[j];
    }
    const DeviceArray<Word> d_a(a), d_b(b);
    const DeviceArray<int> d_ones_a(ones_a), d_ones_b(ones_b), d_c(shape.m * shape.n);
    const Packed packed{{d_a, rows, depth, depth}, {d_b, depth, columns, columns}, d_ones_a, d_ones_b, shape, words};

    const float ms = milliseconds([&] { {{function}}(packed, {d_c, shape.m, shape.n, shape.n}); });
    std::vector<int> expected;
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            int sum = 0;
            for (std::size_t l = 0; l < shape.k; ++l)
                sum += ((a[i * depth + l / 32] ^ b[l / 32 * columns + j]) >> l % 32 & 1) ? -1 : 1;
            expected.push_back(sum);
        }
    std::printf("{{stage}}: %zu x %zu x %zu in %.4f ms; ", shape.m, shape.k, shape.n, ms);
    return compared(d_c, expected);
}
