int main() {
    // Row r of 2^20 has r % 16 entries, and the first one 100,000 more.
    const int rows = 1 << 20, more = 100000;
    std::vector<int> row_starts(1), columns;
    std::vector<float> values, x(rows), expected(rows);
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
    const DeviceArray<int> d_row_starts(row_starts), d_columns(columns);
    const DeviceArray<float> d_values(values), d_x(x), d_y(rows);

    const sparse::Matrix a{rows, rows, entries, d_row_starts, d_columns, d_values};
    const float ms = milliseconds([&] { sparse::{{function}}(a, d_x, d_y); });
    std::printf("{{stage}}: %d rows, %d entries in %.4f ms, %.0f GB/s; ", rows, entries, ms,
                (8e-6 * entries + 12e-6 * rows) / ms);
    return compared(d_y, expected);
}
