int main() {
    using namespace hash_table;
    const std::size_t n = 100'003, buckets = 256;
    std::vector<Key> keys(n);
    std::vector<Value> values(n), found(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        keys[i] = static_cast<Key>(i * 2654435761u);  // all different
        values[i] = static_cast<Value>(i);
    }
    std::vector<Key> queries = keys;  // and as many keys that the table does not have
    for (std::size_t i = n; i < 2 * n; ++i) queries.push_back(static_cast<Key>(i * 2654435761u));
    Key *d_keys, *d_queries;
    Value *d_values, *d_found;
    CUDA_CHECK(cudaMalloc(&d_keys, n * sizeof(Key)));
    CUDA_CHECK(cudaMalloc(&d_values, n * sizeof(Value)));
    CUDA_CHECK(cudaMalloc(&d_queries, 2 * n * sizeof(Key)));
    CUDA_CHECK(cudaMalloc(&d_found, 2 * n * sizeof(Value)));
    CUDA_CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(Value), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_queries, queries.data(), 2 * n * sizeof(Key), cudaMemcpyHostToDevice));

    const auto table = {{function}}(buckets, n);
    const float build_ms = milliseconds([&] { table->build(d_keys, d_values, n); });
    const float find_ms = milliseconds([&] { table->find(d_queries, 2 * n, d_found); });

    CUDA_CHECK(cudaMemcpy(found.data(), d_found, 2 * n * sizeof(Value), cudaMemcpyDeviceToHost));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 2 * n; ++i) wrong += found[i] != (i < n ? values[i] : absent);
    std::printf("{{stage}}: %zu pairs stored in %.4f ms, %zu finds in %.4f ms; wrong finds: %zu\n", n, build_ms, 2 * n,
                find_ms, wrong);
    for (void* p : {(void*)d_keys, (void*)d_queries, (void*)d_values, (void*)d_found}) CUDA_CHECK(cudaFree(p));
    return wrong > 0;
}
