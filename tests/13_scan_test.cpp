#include "13_scan/scan.h"

#include <cstring>
#include <random>

#include "testing.h"

namespace {

std::vector<unsigned> scanned(const std::vector<unsigned>& in) {
    std::vector<unsigned> out(in.size());
    scan::cpu(in, out);
    return out;
}

struct Starts {
    std::size_t in, out;
};

/// Runs a stage twice with the same scratch, on values that both runs read.
void check_stage(const scan::Stage& stage, const std::vector<unsigned>& values, Starts starts) {
    const std::vector<unsigned> expected = scanned(values);
    Fenced in(values, starts.in);
    Fenced<unsigned> out(values.size(), starts.out);
    Fenced<unsigned char> scratch(scan::scratch_bytes(values.size()));
    twice([&] {
        out.buffer.poison();
        stage.launch(in.data(), out.data(), values.size(), scratch.data());
        REQUIRE_SAME(out.values(), expected);
        REQUIRE(out.written_outside() == "");
        REQUIRE(scratch.written_outside() == "");
    });
    REQUIRE_SAME(in.values(), values);
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(scan::stages));
}

}  // namespace

TEST_CASE("every stage scans like the CPU, wherever the arrays start", "[13_scan]") {
    // Around a warp, a row of quads, tiles of 256, 512, 4096 and 16,384, tiles of tiles of 256 (65,536 values), and
    // more tiles of 16,384 than a warp asks at once.
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 256, 257, 511, 512,
                            513, 4095, 4096, 4097, 10'007, 16'383, 16'384, 16'385, 65'537, 33 * 16'384 + 1);
    const auto values = random_values<unsigned>(n);
    std::vector<Starts> all_starts = {{0, 0}, {1, 3}};
    if (n < 5000) all_starts.insert(all_starts.end(), {{1, 1}, {2, 0}, {0, 3}});
    for (const auto& stage : on_device(scan::stages))
        for (const Starts starts : all_starts) {
            CAPTURE(stage.name, n, starts.in, starts.out);
            check_stage(stage, values, starts);
        }
}

TEST_CASE("scans may follow one another, with one scratch", "[13_scan]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const std::size_t sizes[] = {40'003, 1, 0, 8192, 257, 40'000};
    const auto values = random_values<unsigned>(40'003);
    const auto in = DeviceBuffer<unsigned>::from_host(values);
    Fenced<unsigned char> scratch(scan::scratch_bytes(values.size()));
    std::vector<DeviceBuffer<unsigned>> outs;
    for (const std::size_t n : sizes) {  // All queued: none waits for the one before it on the host.
        outs.push_back(poisoned<unsigned>(n));
        stage.launch(in.data(), outs.back().data(), n, scratch.data());
    }
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
        CAPTURE(sizes[i]);
        REQUIRE_SAME(outs[i].to_host(), scanned({values.begin(), values.begin() + sizes[i]}));
    }
}

TEST_CASE("the CPU scans, with any number of threads", "[13_scan]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 6, 7, 8, 1000, 100'003);
    const auto values = random_values<unsigned>(n);
    std::vector<unsigned> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] + (i > 0 ? expected[i - 1] : 0);
    REQUIRE_SAME(scanned(values), expected);
    for (const unsigned threads : {0u, 1u, 2u, 3u, 7u, 32u}) {  // 0: as many as the host has
        CAPTURE(n, threads);
        std::vector<unsigned> out(n, ~0u);
        threads == 0 ? scan::cpu_threads(values, out) : scan::cpu_threads(values, out, threads);
        REQUIRE_SAME(out, expected);
    }
}

TEST_CASE("scan prints every stage and the first sums", "[13_scan]") {
    const Outcome result = run(program("13_scan", "scan") + " --n 5000 --seed 7 --repeat 1");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("\nn = 5,000 values\n") != std::string::npos);
    for (const auto& stage : scan::stages) {
        CAPTURE(stage.name);
        REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
    }
    std::mt19937_64 generator(7);
    std::uniform_int_distribution<unsigned> digit(0, 9);
    std::string values = "values ", sums = "sums   ";
    unsigned sum = 0;
    for (int i = 0; i < 12; ++i) {
        char text[2][16];
        const unsigned value = digit(generator);
        std::snprintf(text[0], sizeof text[0], "%5u", value);
        std::snprintf(text[1], sizeof text[1], "%5u", sum += value);
        values += text[0];
        sums += text[1];
    }
    REQUIRE(result.out.ends_with("\n\n" + values + "  ...\n" + sums + "  ...\n"));
}

TEST_CASE("scan's options", "[13_scan]") {
    const std::string scan_program = program("13_scan", "scan");

    SECTION("ones") {
        const Outcome result = run(scan_program + " --n 3 --ones --repeat 1");
        REQUIRE(result.out.ends_with("\n\nvalues     1    1    1\nsums       1    2    3\n"));
    }
    SECTION("one value") {
        const Outcome result = run(scan_program + " --n 1 --repeat 1");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\nvalues ") != std::string::npos);
        REQUIRE(result.out.find("...") == std::string::npos);
    }
    SECTION("one variant") {
        const Outcome result = run(scan_program + " --n 1000 --repeat 1 --stage 8/atomic_ref");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n8_look_back\n  · atomic ref ") != std::string::npos);
        REQUIRE(result.out.find("9_wide_look_back") == std::string::npos);
    }
    SECTION("what no memory holds is refused in one line") {
        const Outcome result = run(scan_program + " --n 2^60");
        REQUIRE(result.exit_code == 2);
        REQUIRE(result.err.find("memory") != std::string::npos);
        REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
}
