int main() {
    const std::size_t n = 1 << 20;
    std::vector<unsigned> in(n), expected(n);
    unsigned sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        in[i] = static_cast<unsigned>(i * 2654435761u >> 28);  // 0 to 15
        expected[i] = sum += in[i];
    }
    const DeviceArray<unsigned> d_in(in), d_out(n);
    const DeviceArray<unsigned char> scratch(scan::scratch_bytes(n));

    const float ms = milliseconds([&] { scan::{{function}}(d_in, d_out, n, scratch); });
    std::printf("{{stage}}: %zu sums in %.4f ms, %.0f GB/s; ", n, ms, 8e-6 * n / ms);
    return compared(d_out, expected);
}
