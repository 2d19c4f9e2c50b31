int main() {
    using namespace bfs;
    // A ring of n vertices, each with edges to the vertices 1, 7 and 1000 places on and back, and a hub that has an edge
    // to every hundredth.
    const int n = 1 << 14, hub = n - 1, steps[] = {1, 7, 1000};
    std::vector<int> row_starts{0}, columns;
    for (int v = 0; v < n; ++v) {
        if (v == hub)
            for (int u = 0; u < hub; u += 100) columns.push_back(u);
        else if (v % 100 == 0)
            columns.push_back(hub);
        for (const int step : steps)
            if (v != hub)
                for (const int u : {(v + step) % hub, (v + hub - step) % hub}) columns.push_back(u);
        row_starts.push_back(static_cast<int>(columns.size()));
    }
    std::vector<int> expected(n, unreached), queue{0};
    expected[0] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (int v = queue[next], e = row_starts[v]; e < row_starts[v + 1]; ++e)
            if (expected[columns[e]] == unreached) {
                expected[columns[e]] = expected[v] + 1;
                queue.push_back(columns[e]);
            }

    const DeviceArray<int> d_row_starts(row_starts), d_columns(columns), d_distances(n);
    const DeviceArray<unsigned char> scratch(scratch_bytes(n));
    const Graph graph{n, static_cast<int>(columns.size()), d_row_starts, d_columns};

    const float ms = milliseconds([&] { {{function}}(graph, 0, d_distances, scratch); });
    std::printf("{{stage}}: %d vertices in %d levels in %.4f ms, %.0f million edges a second; ", n,
                expected[queue.back()] + 1, ms, 0.5e-3 * columns.size() / ms);
    return compared(d_distances, expected);
}
