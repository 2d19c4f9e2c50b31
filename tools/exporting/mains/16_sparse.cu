int main() {
    // Row r of 2^20 has r % 16 entries, and the first one 100,000 more.
    const int rows = 1 << 20, more = 100000;
    std::vector<int> row_starts(1), columns;
    std::vector<float> values, x(rows), y(rows), expected(rows);
    for (int i = 0; i < rows; ++i) x[i] = static_cast<float>(i % 7 - 3);
    for (int row = 0; row < rows; ++row) {
        const int k = row == 0 ? more : row % 16;
        for (int i = 0; i < k; ++i) {
            const int column = row == 0 ? i : (row / 16 * 16 * 31 + i * 1009) % rows;
            columns.push_back(column);
            values.push_back(static_cast<float>((row + i) % 5 - 2));
            expected[row] += values.back() * x[column];  // whole numbers: exact in any order
        }
        row_starts.push_back(static_cast<int>(columns.size()));
    }
    const int entries = row_starts.back();
    int *d_row_starts, *d_columns;
    float *d_values, *d_x, *d_y;
    CUDA_CHECK(cudaMalloc(&d_row_starts, (rows + 1) * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_columns, entries * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_values, entries * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_x, rows * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_y, rows * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_row_starts, row_starts.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_columns, columns.data(), entries * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_values, values.data(), entries * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_x, x.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, rows * sizeof(float)));  // NaN

    const sparse::Matrix a{rows, rows, entries, d_row_starts, d_columns, d_values};
    const float ms = milliseconds([&] { sparse::{{function}}(a, d_x, d_y); });

    CUDA_CHECK(cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int row = 0; row < rows; ++row) wrong += !(y[row] == expected[row]);
    std::printf("{{stage}}: %d rows, %d entries in %.4f ms, %.0f GB/s; wrong rows: %d\n", rows, entries, ms,
                (8e-6 * entries + 12e-6 * rows) / ms, wrong);
    CUDA_CHECK(cudaFree(d_row_starts));
    CUDA_CHECK(cudaFree(d_columns));
    CUDA_CHECK(cudaFree(d_values));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    return wrong > 0;
}
