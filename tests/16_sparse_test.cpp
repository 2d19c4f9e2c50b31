#include "16_sparse/sparse.h"

#include "testing.h"

TEST_CASE("every stage adds like the CPU", "[16_sparse]") {
    const auto& stage = GENERATE(from_range(on_device(sparse::stages)));
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 4096, 10'007, 1'000'003);
    // Starts, in floats behind a 16-byte boundary: of a, b and c.
    const auto start = GENERATE(values<std::array<std::size_t, 3>>(
        {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {0, 0, 1}, {0, 2, 0}, {3, 0, 0}, {1, 2, 3}}));
    CAPTURE(stage.name, n, start[0], start[1], start[2]);

    const auto a = random_values<float>(n), b = random_values<float>(n);
    std::vector<float> expected(n);
    sparse::cpu(a, b, expected);

    Fenced d_a(a, start[0], 0), d_b(b, start[1], 0);
    Fenced<float> d_c(n, start[2]);
    twice([&] {
        d_c.buffer.poison();
        stage.launch(d_a.data(), d_b.data(), d_c.data(), n);
        CUDA_CHECK(cudaDeviceSynchronize());
        REQUIRE_SAME(d_c.values(), expected);
        REQUIRE(d_c.written_outside() == "");
    });
}

TEST_CASE("the CPU version adds", "[16_sparse]") {
    const auto a = random_values<float>(1001), b = random_values<float>(1001);
    std::vector<float> c(1001);
    sparse::cpu(a, b, c);
    for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(c[i] == a[i] + b[i]);
}

TEST_CASE("the CPU adds with any number of threads", "[16_sparse]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 6, 7, 8, 1000, 100'003);
    const auto a = random_values<float>(n), b = random_values<float>(n);
    std::vector<float> expected(n);
    sparse::cpu(a, b, expected);
    for (const unsigned threads : {0u, 1u, 2u, 3u, 7u, 32u}) {  // 0: as many as the host has
        CAPTURE(n, threads);
        std::vector<float> c(n, std::numeric_limits<float>::quiet_NaN());
        threads == 0 ? sparse::cpu_threads(a, b, c) : sparse::cpu_threads(a, b, c, threads);
        REQUIRE_SAME(c, expected);
    }
}
