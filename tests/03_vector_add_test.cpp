#include "03_vector_add/vector_add.h"

#include "testing.h"

TEST_CASE("every stage adds like the CPU", "[03_vector_add]") {
    const auto& stage = GENERATE(from_range(on_device(vector_add::stages)));
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 4096, 10'007, 1'000'003);
    // Starts, in floats behind a 16-byte boundary: of a, b and c.
    const auto start = GENERATE(values<std::array<std::size_t, 3>>(
        {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {0, 0, 1}, {0, 2, 0}, {3, 0, 0}, {1, 2, 3}}));
    CAPTURE(stage.name, n, start[0], start[1], start[2]);

    const auto a = random_values<float>(n), b = random_values<float>(n);
    std::vector<float> expected(n);
    vector_add::cpu(a, b, expected);

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

TEST_CASE("the CPU version adds", "[03_vector_add]") {
    const auto a = random_values<float>(1001), b = random_values<float>(1001);
    std::vector<float> c(1001);
    vector_add::cpu(a, b, c);
    for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(c[i] == a[i] + b[i]);
}

TEST_CASE("the CPU adds with any number of threads", "[03_vector_add]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 6, 7, 8, 1000, 100'003);
    const auto a = random_values<float>(n), b = random_values<float>(n);
    std::vector<float> expected(n);
    vector_add::cpu(a, b, expected);
    for (const unsigned threads : {0u, 1u, 2u, 3u, 7u, 32u}) {  // 0: as many as the host has
        CAPTURE(n, threads);
        std::vector<float> c(n, std::numeric_limits<float>::quiet_NaN());
        threads == 0 ? vector_add::cpu_threads(a, b, c) : vector_add::cpu_threads(a, b, c, threads);
        REQUIRE_SAME(c, expected);
    }
}

TEST_CASE("a grid that is too large for the stage is an error with a message", "[03_vector_add]") {
    const std::size_t n = std::size_t{1} << 31;
    REQUIRE_THROWS_AS(stage_called("2_one_thread_blocks", vector_add::stages).launch(nullptr, nullptr, nullptr, n),
                      usage_error);
}

TEST_CASE("vector_add prints the first ten sums", "[03_vector_add]") {
    const Outcome result = run(program("03_vector_add", "vector_add"));
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("\nn = 1,048,576 floats\n") != std::string::npos);
    REQUIRE(
        result.out.ends_with("\nThe first 10 sums:\n0 + 0 = 0\n-1 + 1 = 0\n-2 + 4 = 2\n-3 + 9 = 6\n-4 + 16 = 12\n"
                             "-5 + 25 = 20\n-6 + 36 = 30\n-7 + 49 = 42\n-8 + 64 = 56\n-9 + 81 = 72\n"));
    for (const auto& stage : vector_add::stages) {
        const std::string variant(variant_of(stage.name));
        const std::string row = variant.empty() ? std::string(stage.name) : "  · " + variant;
        REQUIRE(result.out.find("\n" + row + " ") != std::string::npos);
    }
}

TEST_CASE("vector_add's options", "[03_vector_add]") {
    const std::string vector_add = program("03_vector_add", "vector_add");

    SECTION("--stage runs one stage, by number or by name") {
        const std::string stage = GENERATE("3", "03", "blocks_and_threads", "3_blocks_and_threads");
        const Outcome result = run(vector_add + " --n 1000 --stage " + stage);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("3_blocks_and_threads") != std::string::npos);
        REQUIRE(result.out.find("\n  · strided ") != std::string::npos);
        REQUIRE(result.out.find("4_grid_stride") == std::string::npos);
    }
    SECTION("--stage runs one variant") {
        const Outcome result = run(vector_add + " --n 1000 --stage 3/strided");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n3_blocks_and_threads\n  · strided ") != std::string::npos);
    }
    SECTION("fewer sums than ten are all printed") {
        const Outcome result = run(vector_add + " --n 3 --repeat 1");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.ends_with("\n\n0 + 0 = 0\n-1 + 1 = 0\n-2 + 4 = 2\n"));
    }
    SECTION("--n in other words") {
        const Outcome result = run(vector_add + " --n 2.5e3 --repeat 1");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\nn = 2,500 floats\n") != std::string::npos);
    }
    SECTION("--cold and --repeat") {
        REQUIRE(run(vector_add + " --n 5000 --repeat 2 --cold").exit_code == 0);
    }
    SECTION("--json writes what the table shows") {
        const Outcome result = run(vector_add + " --n 1000 --json /dev/stdout");
        REQUIRE(result.exit_code == 0);
        for (const char* word : {"\"chapter\": \"03_vector_add\"", "\"n\": 1000", "\"5_vectorized\"", "\"error\": 0"})
            REQUIRE(result.out.find(word) != std::string::npos);
    }
}

TEST_CASE("vector_add refuses what no memory holds, in one line", "[03_vector_add]") {
    const Outcome result = run(program("03_vector_add", "vector_add") + " --n 2^62");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find("memory") != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}
