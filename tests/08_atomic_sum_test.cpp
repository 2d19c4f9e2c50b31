#include "08_atomic_sum/atomic_sum.h"

#include <numeric>
#include <random>
#include <sstream>

#include "testing.h"

namespace {

// n ints in device memory, `start` ints behind a 16-byte boundary. Around them lie ints that would change any sum.
class Placed {
  public:
    Placed(const std::vector<int>& values, std::size_t start) : start_(start), buffer_(surrounded(values, start)) {}

    const int* data() const { return buffer_.data() + fence + start_; }

  private:
    static constexpr std::size_t fence = 1024;

    static DeviceBuffer<int> surrounded(const std::vector<int>& values, std::size_t start) {
        std::vector<int> all(values.size() + start + 2 * fence, 1'234'567'891);
        std::copy(values.begin(), values.end(), all.begin() + fence + start);
        return DeviceBuffer<int>::from_host(all);
    }

    std::size_t start_;
    DeviceBuffer<int> buffer_;
};

// Results between two poisoned neighbours, which nobody may write.
struct Result {
    long long* data() { return buffer.data() + 1; }
    long long value() const { return buffer.to_host()[1]; }
    bool neighbours_untouched() const {
        const std::vector<long long> all = buffer.to_host();
        return all[0] == -1 && all[2] == -1;
    }

    DeviceBuffer<long long> buffer = poisoned<long long>(3);
};

constexpr int largest = std::numeric_limits<int>::max(), smallest = std::numeric_limits<int>::min();

std::vector<int> data(const std::string& kind, std::size_t n) {
    if (kind == "random") return random_values<int>(n);
    if (kind == "largest") return std::vector(n, largest);
    if (kind == "smallest") return std::vector(n, smallest);
    std::vector<int> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = i % 2 == 0 ? smallest : largest;
    return values;
}

/// What a stage makes of ints with this sum: all of it, or what is left in 32 bits, and nothing in the upper half.
long long expected_of(const atomic_sum::Stage& stage, long long sum) {
    return stage.bits == 32 ? static_cast<unsigned>(sum) : sum;
}

void check_stage(const atomic_sum::Stage& stage, const int* d_values, std::size_t n, long long sum) {
    Result result;
    stage.launch(d_values, n, result.data());
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(result.value() == expected_of(stage, sum));
    REQUIRE(result.neighbours_untouched());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
        std::istringstream words(line);
        std::string joined;
        for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
        lines.push_back(joined);
    }
    return lines;
}

}  // namespace

TEST_CASE("every stage sums like the CPU", "[08_atomic_sum]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 8191,
                            8192, 8193, 10'007, 1'000'003);
    const std::string kind = GENERATE("random", "largest", "smallest", "both in turn");
    const std::vector<int> values = data(kind, n);
    const long long sum = std::accumulate(values.begin(), values.end(), 0ll);
    for (const std::size_t start : {0, 1, 2, 3}) {
        const Placed d_values(values, start);
        for (const auto& stage : on_device(atomic_sum::stages)) {
            CAPTURE(stage.name, n, kind, start);
            twice([&] { check_stage(stage, d_values.data(), n, sum); });
        }
    }
}

TEST_CASE("every stage sums more ints than a grid loads at once", "[08_atomic_sum]") {
    const auto& stage = GENERATE(from_range(on_device(atomic_sum::stages)));
    CAPTURE(stage.name);
    const std::vector<int> values = random_values<int>(9'999'991);
    check_stage(stage, Placed(values, 1).data(), values.size(), std::accumulate(values.begin(), values.end(), 0ll));
}

TEST_CASE("launches may follow one another", "[08_atomic_sum]") {
    const auto& stage = GENERATE(from_range(on_device(atomic_sum::stages)));
    CAPTURE(stage.name);
    const std::vector<int> values = random_values<int>(20'000);
    const auto d_values = DeviceBuffer<int>::from_host(values);
    auto results = poisoned<long long>(20);

    std::vector<long long> expected;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::size_t n = i * 997 % values.size();
        stage.launch(d_values.data(), n, results.data() + i);
        expected.push_back(expected_of(stage, std::accumulate(values.begin(), values.begin() + n, 0ll)));
    }
    REQUIRE_SAME(results.to_host(), expected);
}

TEST_CASE("every stage sums in managed memory", "[08_atomic_sum]") {
    const auto& stage = GENERATE(from_range(on_device(atomic_sum::stages)));
    CAPTURE(stage.name);
    const std::vector<int> values = random_values<int>(10'007);
    int* managed = nullptr;
    long long* sum = nullptr;
    CUDA_CHECK(cudaMallocManaged(&managed, values.size() * sizeof(int)));
    CUDA_CHECK(cudaMallocManaged(&sum, sizeof(long long)));
    std::copy(values.begin(), values.end(), managed);
    *sum = -1;
    stage.launch(managed, values.size(), sum);
    CUDA_CHECK(cudaDeviceSynchronize());
    const long long seen = *sum;
    CUDA_CHECK(cudaFree(managed));
    CUDA_CHECK(cudaFree(sum));
    REQUIRE(seen == expected_of(stage, std::accumulate(values.begin(), values.end(), 0ll)));
}

TEST_CASE("the CPU versions sum, in 64 and in 32 bits", "[08_atomic_sum]") {
    for (const std::string kind : {"random", "largest", "smallest", "both in turn"}) {
        const std::vector<int> values = data(kind, 10'007);
        const long long sum = std::accumulate(values.begin(), values.end(), 0ll);
        CAPTURE(kind, sum);
        REQUIRE(atomic_sum::cpu(values) == sum);
        REQUIRE(atomic_sum::cpu_in_32_bits(values) == static_cast<unsigned>(sum));
    }
    REQUIRE(atomic_sum::cpu({}) == 0);
    REQUIRE(atomic_sum::cpu_in_32_bits({}) == 0);
}

TEST_CASE("the CPU sums with any number of threads", "[08_atomic_sum]") {
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 6, 7, 8, 1000, 100'003);
    const std::vector<int> values = random_values<int>(n);
    const long long sum = std::accumulate(values.begin(), values.end(), 0ll);
    for (const unsigned threads : {1u, 2u, 3u, 7u, 32u}) {
        CAPTURE(n, threads);
        REQUIRE(atomic_sum::cpu_threads(values, threads) == sum);
    }
    REQUIRE(atomic_sum::cpu_threads(values) == sum);
}

TEST_CASE("one stage sums in 32 bits, and two are to work in managed memory", "[08_atomic_sum]") {
    for (const auto& stage : atomic_sum::stages) {
        CAPTURE(stage.name);
        REQUIRE(stage.bits == (stage.name == "2_atomic_per_thread/32_bits" ? 32 : 64));
        REQUIRE((stage.memory == atomic_sum::Memory::managed) == stage.name.starts_with("4_atomic_per_block/managed"));
        REQUIRE((stage.variables != nullptr) == (stage.name == "4_atomic_per_block/managed_variables"));
    }
}

TEST_CASE("atomic_sum prints every stage and both sums", "[08_atomic_sum]") {
    const Outcome result = run(program("08_atomic_sum", "atomic_sum") + " --n 20000 --seed 7");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    std::size_t last = 0;
    for (const auto& stage : atomic_sum::stages) {
        const std::string row = row_of(stage.name);
        CAPTURE(row);
        const std::size_t at = result.out.find(row);
        REQUIRE(at != std::string::npos);
        REQUIRE(at > last);
        last = at;
    }

    std::mt19937_64 generator(7);
    long long sum = 0;
    for (int i = 0; i < 20'000; ++i) sum += static_cast<int>(generator() >> 33);
    REQUIRE(result.out.find("\nThe sum is " + std::to_string(sum) + ". In 32 bits it is " +
                            std::to_string(static_cast<int>(sum)) + ":\n") != std::string::npos);
    const Outcome ones = run(program("08_atomic_sum", "atomic_sum") + " --n 20 --ones");
    REQUIRE(ones.out.find("\nThe sum is 20. In 32 bits it is 20:\n") != std::string::npos);
}

TEST_CASE("atomic_sum's options", "[08_atomic_sum]") {
    const std::string atomic_sum = program("08_atomic_sum", "atomic_sum");

    SECTION("--stage 4 runs both grids and both kinds of memory, --stage 4/full_grid one") {
        const Outcome all = run(atomic_sum + " --n 1000 --stage 4");
        REQUIRE(all.exit_code == 0);
        for (const char* row : {"\n1_cpu ", "\n4_atomic_per_block ", "\n  · managed ", "\n  · full grid "})
            REQUIRE(all.out.find(row) != std::string::npos);
        REQUIRE(all.out.find("5_warp_reduce") == std::string::npos);

        for (const char* asked : {"4/full_grid", "4_atomic_per_block/full_grid"}) {
            const Outcome one = run(atomic_sum + " --n 1000 --stage " + asked);
            REQUIRE(one.exit_code == 0);
            REQUIRE(one.out.find("\n4_atomic_per_block\n  · full grid ") != std::string::npos);
            for (const char* row : {"\n4_atomic_per_block ", "managed", "5_warp_reduce"})
                REQUIRE(one.out.find(row) == std::string::npos);
        }
        const Outcome managed = run(atomic_sum + " --n 1000 --stage 4/managed");
        REQUIRE(managed.exit_code == 0);
        REQUIRE(managed.out.find("\n4_atomic_per_block\n  · managed ") != std::string::npos);
        REQUIRE(managed.out.find("full") == std::string::npos);
    }
    SECTION("--json has what the table shows, and how wrong 32 bits are") {
        const Outcome result = run(atomic_sum + " --n 3000 --cold --repeat 2 --json /dev/stdout");
        REQUIRE(result.exit_code == 0);
        for (const char* word : {"\"chapter\": \"08_atomic_sum\"", "\"n\": 3000", "\"cold_l2\": true",
                                 "\"6_vectorized\"", "\"4_atomic_per_block/managed\""})
            REQUIRE(result.out.find(word) != std::string::npos);
        const auto error_of = [&](const std::string& stage) {
            const std::string key = "\"error\": ";
            const std::size_t row = result.out.find("\"name\": \"" + stage + "\"");
            REQUIRE(row != std::string::npos);
            return std::stod(result.out.substr(result.out.find(key, row) + key.size()));
        };
        REQUIRE(error_of("2_atomic_per_thread") == 0);
        REQUIRE(error_of("6_vectorized") == 0);
        REQUIRE(error_of("4_atomic_per_block/managed") == 0);
        REQUIRE(error_of("2_atomic_per_thread/32_bits") > 0.99);
    }
}

TEST_CASE("atomic_sum refuses what makes no sense, in one line", "[08_atomic_sum]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^33", "64 bits"},
        {"--n 4294967297", "--n 4294967297"},
        {"--n 10000001 --stage 4/managed_variables", "at most 10,000,000"},
    }));
    const Outcome result = run(program("08_atomic_sum", "atomic_sum") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("atomics_tour: every line", "[08_atomic_sum]") {
    const Outcome result = run(program("08_atomic_sum", "atomics_tour"));
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.err.empty());

    const std::string newer = " *";
    std::vector<std::string> expected = {
        "",
        "One thread, one call. What is returned is what was there before.",
        "",
        "function type before value returns after",
        "atomicAdd int 2147483647 1 2147483647 -2147483648",
        "atomicAdd unsigned 4294967295 1 4294967295 0",
        "atomicAdd unsigned long long 4294967295 1 4294967295 4294967296",
        "atomicAdd float 16777216 1 16777216 16777216",
        "atomicAdd double 16777216 1 16777216 16777217",
        "atomicAdd __half2 (1;2) (0.5;0.25) (1;2) (1.5;2.25)",
        "atomicAdd __half 2048 1 2048 2048",
        "atomicAdd __nv_bfloat162 (1;2) (0.5;0.25) (1;2) (1.5;2.25)" + newer,
        "atomicAdd __nv_bfloat16 256 1 256 256" + newer,
        "atomicSub int 10 15 10 -5",
        "atomicSub unsigned 10 15 10 4294967291",
        "atomicExch int 1 -2 1 -2",
        "atomicExch unsigned 1 2 1 2",
        "atomicExch unsigned long long 1 8589934592 1 8589934592",
        "atomicExch float 1.5 2.5 1.5 2.5",
        "atomicMin int -1 1 -1 -1",
        "atomicMin unsigned 4294967295 1 4294967295 1",
        "atomicMin long long -8589934592 1 -8589934592 -8589934592",
        "atomicMin unsigned long long 8589934592 1 8589934592 1",
        "atomicMax int -1 1 -1 1",
        "atomicMax unsigned 4294967295 1 4294967295 4294967295",
        "atomicMax long long -8589934592 1 -8589934592 1",
        "atomicMax unsigned long long 8589934592 1 8589934592 8589934592",
        "atomicInc unsigned 2 3 2 3",
        "atomicInc unsigned 3 3 3 0",
        "atomicDec unsigned 1 3 1 0",
        "atomicDec unsigned 0 3 0 3",
        "atomicAnd int -4 10 -4 8",
        "atomicAnd unsigned 12 10 12 8",
        "atomicAnd unsigned long long 8589934604 8589934602 8589934604 8589934600",
        "atomicOr int -4 10 -4 -2",
        "atomicOr unsigned 12 10 12 14",
        "atomicOr unsigned long long 8589934604 10 8589934604 8589934606",
        "atomicXor int -4 10 -4 -10",
        "atomicXor unsigned 12 10 12 6",
        "atomicXor unsigned long long 8589934604 8589934602 8589934604 6",
        "* in hardware from compute capability 9.0 on, before that a loop around",
        "atomicCAS",
        "",
        "atomicCAS before compare value returns after",
        "int 5 5 -7 5 -7",
        "int 6 5 -7 6 6",
        "unsigned 5 5 7 5 7",
        "unsigned 6 5 7 6 6",
        "unsigned long long 8589934592 8589934592 7 8589934592 7",
        "unsigned long long 8589934593 8589934592 7 8589934593 8589934593",
        "unsigned short 5 5 7 5 7",
        "unsigned short 6 5 7 6 6",
        "",
        "Each was called in global and in shared memory, with the same outcome.",
        "",
        "atomicInc(&x, 3), x = 0 at first, returns 0 1 2 3 0 1 2 3 0 1",
        "atomicInc(&x, 3), x = 7 at first, returns 7 0 1 2 3 0 1 2 3 0",
        "atomicDec(&x, 3), x = 0 at first, returns 0 3 2 1 0 3 2 1 0 3",
        "atomicDec(&x, 3), x = 7 at first, returns 7 3 2 1 0 3 2 1 0 3",
        "",
        "1024 threads draw a number with atomicAdd(next, 1):",
        "they hold 0 to 1023, each once.",
        "",
        "Every thread adds 1 to one counter.",
        "",
        "threads counted lost",
        "atomicAdd(counter, 1) 262144 262144 0",
        "*counter += 1 262144 …",
        "all read, __syncthreads(), write 262144 …",
        "",
        "atomic_max for float, a loop around atomicCAS:",
        "the largest of 100000 numbers is 99998.5.",
        "",
        "1024 threads change four numbers behind a lock:",
        "count 1024, sum 523776, smallest 0, largest 1023.",
        "",
        "1024 threads change four numbers behind a lock of libcu++:",
        "count 1024, sum 523776, smallest 0, largest 1023.",
    };
    std::vector<std::string> lines = lines_of(result.out);
    REQUIRE(lines.at(0).starts_with("Device: "));
    const bool emulator = lines.at(0).find("CPU emulator") != std::string::npos;
    lines.erase(lines.begin(), std::find(lines.begin(), lines.end(), ""));
    if (emulator) {
        const std::vector<std::string> about_the_emulator = {
            "",
            "The emulator runs the threads of a block one after another up to the next",
            "barrier, so that *counter += 1 loses only what two CPU threads, each with a",
            "block of its own, happen to lose: often nothing. A GPU loses nearly everything.",
        };
        expected.insert(expected.end() - 9, about_the_emulator.begin(), about_the_emulator.end());
    }

    // How much is lost differs from run to run; that it adds up, and how much at least, does not.
    const auto losses = [&](const std::string& how, long least_lost) {
        const auto line =
            std::find_if(lines.begin(), lines.end(), [&](const std::string& l) { return l.starts_with(how); });
        REQUIRE(line != lines.end());
        long threads = 0, counted = 0, lost = 0;
        std::istringstream(line->substr(how.size())) >> threads >> counted >> lost;
        CAPTURE(*line);
        REQUIRE(threads == 262'144);
        REQUIRE(counted >= 1);
        REQUIRE(counted + lost == threads);
        REQUIRE(lost >= least_lost);
        *line = how + " 262144 …";
    };
    losses("*counter += 1", emulator ? 0 : 1);
    losses("all read, __syncthreads(), write", 262'144 - 1024);  // at most one of a block can count

    for (std::size_t i = 0; i < std::min(lines.size(), expected.size()); ++i) REQUIRE(lines[i] == expected[i]);
    REQUIRE(lines.size() == expected.size());
}

TEST_CASE("atomics_tour's command line", "[08_atomic_sum]") {
    const std::string tour = program("08_atomic_sum", "atomics_tour");
    const Outcome without = run(tour + " --no-races");
    REQUIRE(without.exit_code == 0);
    REQUIRE(without.out.find("atomicAdd(counter, 1)") != std::string::npos);
    REQUIRE(without.out.find("*counter += 1") == std::string::npos);
    REQUIRE(without.out.find("behind a lock") != std::string::npos);
}
