int main() {
    using namespace hash_table;
    const std::size_t n = 100'003, buckets = 256;
    std::vector<Key> keys(n);
    std::vector<Value> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        keys[i] = static_cast<Key>(i * 2654435761u);  // all different
        values[i] = static_cast<Value>(i);
    }
    std::vector<Key> queries = keys;  // and as many keys that the table does not have
    for (std::size_t i = n; i < 2 * n; ++i) queries.push_back(static_cast<Key>(i * 2654435761u));
    const DeviceArray<Key> d_keys(keys), d_queries(queries);
    const DeviceArray<Value> d_values(values), d_found(2 * n);

    const auto table = {{function}}(buckets, n);
    const float build_ms = milliseconds([&] { table->build(d_keys, d_values, n); });
    const float find_ms = milliseconds([&] { table->find(d_queries, 2 * n, d_found); });
    std::printf("{{stage}}: %zu pairs stored in %.4f ms, %zu finds in %.4f ms; ", n, build_ms, 2 * n, find_ms);
    values.resize(2 * n, absent);
    return compared(d_found, values);
}
