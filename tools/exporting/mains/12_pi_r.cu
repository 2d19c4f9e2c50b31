int main() {
    const points::Points points{1, 0, 10'000'019};
    unsigned long long *d_hits, hits;
    CUDA_CHECK(cudaMalloc(&d_hits, sizeof hits));
    CUDA_CHECK(cudaMemset(d_hits, 0xff, sizeof hits));

    const float ms = milliseconds([&] { points::{{function}}(points, d_hits); });

    CUDA_CHECK(cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost));
    unsigned long long expected = 0;
    for (std::int64_t i = points.first; i < points.last; ++i) expected += points::is_hit(points.seed, i);
    std::printf("{{stage}}: %lld points in %.4f ms; %llu hits, on the CPU %llu; pi is about %.5f\n",
                (long long)points.last, ms, hits, expected, 4.0 * hits / points.last);
    CUDA_CHECK(cudaFree(d_hits));
    return hits != expected;
}
