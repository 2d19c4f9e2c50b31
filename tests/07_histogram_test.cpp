#include "07_histogram/histogram.h"

#include <sys/stat.h>
#include <unistd.h>

#include <numeric>

#include "07_histogram/input.h"
#include "testing.h"

using histogram::bins;
using histogram::Count;

namespace {

using Data = std::vector<std::uint8_t>;

std::vector<Count> counted_on_cpu(const Data& data) {
    std::vector<Count> counts(bins);
    histogram::cpu(data, counts);
    return counts;
}

/// Bytes in device memory `offset` behind a multiple of 16. Those around them are as random: who reads them counts
/// wrong.
struct Placed {
    Placed(const Data& data, std::size_t offset)
        : begin(fence + offset),
          buffer(DeviceBuffer<std::uint8_t>::from_host(random_values<std::uint8_t>(data.size() + offset + 2 * fence))) {
        if (!data.empty()) CUDA_CHECK(cudaMemcpy(this->data(), data.data(), data.size(), cudaMemcpyHostToDevice));
    }

    const std::uint8_t* data() const { return buffer.data() + begin; }
    std::uint8_t* data() { return buffer.data() + begin; }

    static constexpr std::size_t fence = 4096;
    std::size_t begin;
    DeviceBuffer<std::uint8_t> buffer;
};

/// What a stage counts, from poisoned counters; and that it leaves what lies around them alone.
template <class Run>
std::vector<Count> counted_on_device(const Run& launch, const std::uint8_t* data, std::size_t n) {
    auto counts = poisoned<Count>(3 * bins);
    launch(data, n, counts.data() + bins);
    CUDA_CHECK(cudaDeviceSynchronize());
    const std::vector<Count> all = counts.to_host();
    const auto untouched = [](Count count) { return count == ~Count{0}; };
    REQUIRE(std::all_of(all.begin(), all.begin() + bins, untouched));
    REQUIRE(std::all_of(all.begin() + 2 * bins, all.end(), untouched));
    return {all.begin() + bins, all.begin() + 2 * bins};
}

/// n bytes to stumble on.
Data awkward_bytes(const std::string& kind, std::size_t n) {
    Data data = random_values<std::uint8_t>(n);
    if (kind == "only 0") data.assign(n, 0);
    if (kind == "only 255") data.assign(n, 255);
    if (kind == "two neighbours")  // in one word of packed counters
        for (auto& value : data) value = value < 128 ? 254 : 255;
    if (kind == "one bank")  // 32 bins apart
        for (auto& value : data) value = value / 32 * 32 + 7;
    if (kind == "sorted") std::sort(data.begin(), data.end());
    return data;
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(histogram::stages));
}

}  // namespace

TEST_CASE("every stage counts like the CPU", "[07_histogram]") {
    const auto& stage = GENERATE(any_stage());
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 511, 512, 4099, 16'383,
                            65'536, 1'000'003);
    const auto offset = GENERATE(as<std::size_t>{}, 0, 1, 8, 15);
    CAPTURE(stage.name, n, offset);

    const Data data = random_values<std::uint8_t>(n);
    const Placed d_data(data, offset);
    twice([&] { REQUIRE_SAME(counted_on_device(stage.launch, d_data.data(), n), counted_on_cpu(data)); });
}

TEST_CASE("every stage counts what is not random", "[07_histogram]") {
    const auto kind =
        GENERATE(as<std::string>{}, "random", "only 0", "only 255", "two neighbours", "one bank", "sorted");
    const auto n = GENERATE(as<std::size_t>{}, 33, 100'000, 2'000'003);
    const Data data = awkward_bytes(kind, n);
    const Placed d_data(data, 3);
    const std::vector<Count> expected = counted_on_cpu(data);
    for (const auto& stage : on_device(histogram::stages)) {
        CAPTURE(stage.name, kind, n);
        REQUIRE_SAME(counted_on_device(stage.launch, d_data.data(), n), expected);
    }
}

TEST_CASE("no counter overflows, however long a value goes on", "[07_histogram]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    // Several flushes of every lane's 8-bit counters on a large GPU; and more than 32 bits count, where that is quick.
    const std::size_t n = on_emulator() ? 20'000'003 : (std::size_t{1} << 32) + 12'345'677;
    const auto value = random_values<std::uint8_t>(1)[0];
    CAPTURE(n, +value);

    DeviceBuffer<std::uint8_t> data(n);
    CUDA_CHECK(cudaMemset(data.data(), value, n));
    std::vector<Count> expected(bins);
    expected[value] = n;
    REQUIRE_SAME(counted_on_device(stage.launch, data.data(), n), expected);
}

TEST_CASE("more bytes than its blocks can count are an error with a message", "[07_histogram]") {
    const auto& stage = GENERATE(any_stage());
    if (stage.name == "2_global_atomics" || stage.name == "library") return;  // no counter of theirs is too small
    CAPTURE(stage.name);
    DeviceBuffer<std::uint8_t> data(16);
    auto counts = poisoned<Count>(bins);
    REQUIRE_THROWS_AS(stage.launch(data.data(), std::size_t{1} << 50, counts.data()), usage_error);
}

TEST_CASE("stage 3 counts with any number of blocks that the device can run", "[07_histogram]") {
    const auto blocks = GENERATE(as<std::size_t>{}, 1, 2, 3, 8, 9, 33);
    CAPTURE(blocks);
    const Data data = random_values<std::uint8_t>(100'003);
    const Placed d_data(data, 0);
    const auto launch = [&](auto... arguments) { histogram::shared_atomics(arguments..., blocks); };
    REQUIRE_SAME(counted_on_device(launch, d_data.data(), data.size()), counted_on_cpu(data));

    auto counts = poisoned<Count>(bins);
    for (const std::size_t too_many : {std::size_t{1} << 31, ~std::size_t{0}})
        REQUIRE_THROWS_AS(histogram::shared_atomics(d_data.data(), data.size(), counts.data(), too_many), usage_error);
}

TEST_CASE("the CPU counts, with one thread and with several", "[07_histogram]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 6, 7, 8, 1000, 100'003);
    const Data data = random_values<std::uint8_t>(n);
    std::vector<Count> expected(bins);
    for (unsigned v = 0; v < bins; ++v) expected[v] = std::count(data.begin(), data.end(), v);

    REQUIRE_SAME(counted_on_cpu(data), expected);
    for (const unsigned threads : {1u, 2u, 3u, 7u, 32u}) {
        CAPTURE(n, threads);
        std::vector<Count> counts(bins, ~Count{0});
        histogram::cpu_threads(data, counts, threads);
        REQUIRE_SAME(counts, expected);
    }
    for (const auto& stage : histogram::stages) {
        if (!stage.on_host) continue;
        CAPTURE(stage.name, n);
        std::vector<Count> counts(bins, ~Count{0});
        stage.on_host(data, counts);
        REQUIRE_SAME(counts, expected);
    }
}

TEST_CASE("the inputs are what they are called", "[07_histogram]") {
    constexpr std::size_t n = 256'003;
    const Data random = histogram::make_bytes("random", n, 1);
    REQUIRE(random.size() == n);

    SECTION("random: every value is as likely as any other, 255 too") {
        for (const Count count : counted_on_cpu(random)) {
            REQUIRE(count > 800);  // of 1000, with a standard deviation of 32
            REQUIRE(count < 1200);
        }
        REQUIRE(histogram::make_bytes("random", n, 1) == random);
        REQUIRE(histogram::make_bytes("random", n, 2) != random);
    }
    SECTION("one value") {
        const Data one = histogram::make_bytes("one", n, 1);
        REQUIRE(static_cast<std::size_t>(std::count(one.begin(), one.end(), one[0])) == n);
    }
    SECTION("skewed: a sixth are spaces, a tenth are e, most values do not occur") {
        const auto counts = counted_on_cpu(histogram::make_bytes("skewed", n, 1));
        REQUIRE(std::max_element(counts.begin(), counts.end()) - counts.begin() == ' ');
        REQUIRE(counts['e'] > n / 12);
        REQUIRE(counts['e'] < n / 8);
        REQUIRE(std::count(counts.begin(), counts.end(), 0) > 200);
    }
    SECTION("sorted: the random ones in order") {
        const Data sorted = histogram::make_bytes("sorted", n, 1);
        REQUIRE(std::is_sorted(sorted.begin(), sorted.end()));
        REQUIRE_SAME(counted_on_cpu(sorted), counted_on_cpu(random));
    }
}

TEST_CASE("a file is read to its last byte", "[07_histogram]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 100'003, std::size_t{64} << 20);  // the last: a whole read
    CAPTURE(n);
    const Data bytes = random_values<std::uint8_t>(n);
    const TemporaryFile file({reinterpret_cast<const char*>(bytes.data()), n});
    REQUIRE(histogram::read_file(file.path()) == bytes);
}

TEST_CASE("histogram shows every stage and the sum", "[07_histogram]") {
    const Outcome result = run(program("07_histogram", "histogram") + " --n 100003 --data random,one,skewed,sorted");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    for (const char* title :
         {"\nrandom bytes, n = 100,003\n", "\none repeated value, n = 100,003\n",
          "\nletters as in English text, n = 100,003\n", "\nsorted bytes, n = 100,003\n",
          "\nSum of the counts: 100,003. Most frequent: 101 'e', 100,003 times\n", "\n1_cpu ", "\n  · threads "})
        REQUIRE(result.out.find(title) != std::string::npos);
    for (const auto& stage : on_device(histogram::stages)) REQUIRE(result.out.find(stage.name) != std::string::npos);
}

TEST_CASE("histogram's options", "[07_histogram]") {
    const std::string histogram = program("07_histogram", "histogram");

    SECTION("--file counts a file, an empty one too") {
        const TemporaryFile text("so it goes: zzzzz\n"), empty;
        const Outcome result = run(histogram + " --file " + text.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find(", n = 18\n") != std::string::npos);
        REQUIRE(result.out.find("Sum of the counts: 18. Most frequent: 122 'z', 5 times\n") != std::string::npos);

        const Outcome nothing = run(histogram + " --file " + empty.path());
        CAPTURE(nothing.out, nothing.err);
        REQUIRE(nothing.exit_code == 0);
        REQUIRE(nothing.out.find("\nSum of the counts: 0\n") != std::string::npos);
        for (const char* word : {"nan", "inf"}) REQUIRE(nothing.out.find(word) == std::string::npos);
    }
    SECTION("--file takes a pipe, which has no size, to its end") {
        const Outcome result = run("sh -c 'printf hello | " + histogram + " --file /dev/stdin'");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("Sum of the counts: 5. Most frequent: 108 'l', 2 times\n") != std::string::npos);
    }
    SECTION("--stage 1 runs the CPU alone, 1/threads its variant below it") {
        for (const std::string asked : {"1", "1/threads"}) {
            const TemporaryFile json;
            const Outcome result = run(histogram + " --n 100003 --stage " + asked + " --json " + json.path());
            CAPTURE(asked, result.out, result.err);
            REQUIRE(result.exit_code == 0);
            for (const char* word : {"\n1_cpu ", "\n  · threads ", "\nSum of the counts: 100,003. "})
                REQUIRE(result.out.find(word) != std::string::npos);
            REQUIRE(result.out.find("2_global_atomics") == std::string::npos);
            REQUIRE(json.text().find("\"name\": \"1_cpu/threads\"") != std::string::npos);
        }
        REQUIRE(run(histogram + " --n 1000 --stage 2").out.find("· threads") == std::string::npos);
    }
    SECTION("--blocks-per-sm draws a curve of stage 3") {
        const TemporaryFile json;
        const Outcome result = run(histogram + " --n 100003 --blocks-per-sm 1,2,16 --json " + json.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        for (const char* word :
             {"\n3_shared_atomics ", "\n  · 1 block ", "\n  · 2 blocks ", "\n  · 16 blocks ",
              ", 3_shared_atomics by blocks for each multiprocessor\n", "\n     1  █", "\n    16  █"})
            REQUIRE(result.out.find(word) != std::string::npos);
        REQUIRE(json.text().find("\"name\": \"3_shared_atomics/16_blocks\"") != std::string::npos);
        REQUIRE(result.out.find("4_vectorized_loads") == std::string::npos);
    }
    SECTION("--json writes what the table shows") {
        const Outcome result = run(histogram + " --n 1000 --data one --stage 7 --json /dev/stdout");
        REQUIRE(result.exit_code == 0);
        for (const char* word :
             {"\"chapter\": \"07_histogram\"", "\"n\": 1000", "\"title\": \"one repeated value, n = 1,000\"",
              "\"7_column_per_lane\"", "\"error\": 0"})
            REQUIRE(result.out.find(word) != std::string::npos);
    }
}

TEST_CASE("histogram refuses what makes no sense, in one line", "[07_histogram]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^62", "memory"},
        {"--data zeros", "zeros"},
        {"--data", "--data"},
        {"--file /no/such/file", "/no/such/file: No such file or directory"},
        {"--file /", "/: Is a directory"},
        {"--file ''", "No such file"},
        {"--file /dev/null --n 10", "--n"},
        {"--file /dev/null --data one", "--data"},
        {"--file /dev/null --bench", "--bench"},
        {"--n 1000 --blocks-per-sm 0", "--blocks-per-sm 0"},
        {"--n 1000 --blocks-per-sm 2,-1", "-1"},
        {"--n 1000 --blocks-per-sm many", "many"},
        {"--n 1000 --blocks-per-sm 2^31", "2147483647 blocks"},
        {"--n 1000 --blocks-per-sm 2 --stage 4", "--stage"},
    }));
    const Outcome result = run(program("07_histogram", "histogram") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("histogram refuses a file that it may not read", "[07_histogram]") {
    if (geteuid() == 0) return;  // root may read everything
    const TemporaryFile file("secret");
    REQUIRE(chmod(file.path().c_str(), 0) == 0);
    const Outcome result = run(program("07_histogram", "histogram") + " --file " + file.path());
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err == "error: --file " + file.path() + ": Permission denied\n");
}
