#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <span>
#include <thread>

#include "12_pi/exact.h"
#include "testing.h"

using pi::Terms;
using pi::Workspace;

namespace {

// Added up term by term, with what the additions round off: another way than that of pi::exact().
long double added_up(const Terms& terms) {
    long double sum = 0, lost = 0;
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        const long double x = (i + 0.5L) / terms.n, term = 4 / (1 + x * x), next = sum + term;
        lost += (sum - next) + term;
        sum = next;
    }
    return (sum + lost) / terms.n;
}

// "" if a stage's result is as near to the exact one as it guarantees, else what is wrong.
template <class T>
std::string wrong_in(T value, const Terms& terms, double roundings) {
    const auto exact = static_cast<double>(pi::exact(terms));
    const double bound = pi::error_bound<T>(exact, roundings);
    UNSCOPED_INFO("n = " << terms.n << ", terms " << terms.first << " to " << terms.last);
    try {
        require_within("the stage", value, exact, bound);
    } catch (const wrong_result& error) {
        return error.what();
    }
    return std::isfinite(bound) ? "" : "nothing is guaranteed";
}

#define REQUIRE_RIGHT(value, terms, roundings) REQUIRE(wrong_in(value, terms, roundings) == "")

// Runs a stage twice with one workspace, and checks that it writes the one number that it may, the right one, and
// leaves the workspace fit for the next launch.
template <class T>
void check_stage(const pi::Stage<T>& stage, const Terms& terms) {
    auto workspace = pi::make_workspace<T>();
    auto result = poisoned<T>(3);
    twice([&] {
        result.poison();
        stage.launch(terms, result.data() + 1, workspace.data());
        const std::vector<T> all = result.to_host();
        REQUIRE(std::isnan(all[0]));
        REQUIRE(std::isnan(all[2]));
        REQUIRE_RIGHT(all[1], terms, stage.roundings(terms, 1));
        REQUIRE(workspace.to_host()[0].arrived == 0);
    });
}

// Random pieces of random integrals, some of them near the end of what a double can count.
std::vector<Terms> random_pieces() {
    std::vector<Terms> pieces;
    for (const std::int64_t most : {std::int64_t{1} << 20, std::int64_t{100'000'000'000}, pi::max_n})
        for (const std::int64_t length : {0, 1, 2, 7, 8, 9, 33, 1000, 4099}) {
            const auto random = random_values<std::uint64_t>(2);
            const std::int64_t n = most - static_cast<std::int64_t>(random[0] % 1000);
            const auto first = static_cast<std::int64_t>(random[1] % static_cast<std::uint64_t>(n - length));
            pieces.push_back({n, first, first + length});
            pieces.push_back({n, n - length, n});
        }
    return pieces;
}

auto any_size() {
    return GENERATE(as<std::int64_t>{}, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 1009, 2047, 2049,
                    99'991, 1'000'003);
}

// Those of a list that run on the host.
template <class Stage>
std::vector<Stage> on_host(const std::vector<Stage>& stages) {
    std::vector<Stage> chosen;
    std::copy_if(stages.begin(), stages.end(), std::back_inserter(chosen), [](auto& s) { return s.on_host; });
    return chosen;
}

}  // namespace

TEST_CASE("the exact sum is exact", "[12_pi]") {
    REQUIRE(pi::exact(pi::all_terms(1)) == 3.2L);
    REQUIRE(std::abs(pi::exact(pi::all_terms(2)) - (64 / 17.0L + 64 / 25.0L) / 2) < 1e-18L);
    // The midpoint rule is off by h² / 12 and much less.
    for (const std::int64_t n : {1'000'000, 1'000'000'000}) {
        const long double h = 1 / static_cast<long double>(n);
        REQUIRE(std::abs(pi::exact(pi::all_terms(n)) - std::numbers::pi_v<long double> - h * h / 12) < 1e-18L);
    }
    const auto n = GENERATE(as<std::int64_t>{}, 1, 3, 1999, 2000, 2001, 30'011, 1'000'003);
    const auto random = random_values<std::uint64_t>(2);
    std::int64_t first = random[0] % (n + 1), last = random[1] % (n + 1);
    if (first > last) std::swap(first, last);
    for (const Terms& terms : {pi::all_terms(n), Terms{n, first, last}, Terms{n, first, first}}) {
        CAPTURE(terms.n, terms.first, terms.last);
        REQUIRE(std::abs(pi::exact(terms) - added_up(terms)) <= 2e-18L * added_up(terms));
    }
}

TEST_CASE("what a number of roundings guarantees", "[12_pi]") {
    REQUIRE(std::abs(pi::error_bound<float>(2, 10) / (20 * 0x1p-24) - 1) < 1e-5);
    REQUIRE(std::abs(pi::error_bound<double>(2, 10) / (20 * 0x1p-53) - 1) < 1e-5);
    REQUIRE(std::isinf(pi::error_bound<float>(2, 0x1p24)));
    // Little enough to see that one term of a million is missing or there twice, which is 3e-7 of the sum or more.
    for (const auto& stage : on_device(pi::stages<double>)) {
        CAPTURE(stage.name);
        REQUIRE(pi::error_bound<double>(1, stage.roundings(pi::all_terms(1'000'003), 1)) < 1e-12);
    }
}

TEST_CASE("the parts are all terms, each once", "[12_pi]") {
    const auto [n, parts] = GENERATE(table<std::int64_t, std::int64_t>(
        {{1, 1}, {3, 4}, {4, 4}, {1000, 7}, {1001, 1024}, {pi::max_n, 1023}, {100'000'000'000, 3}}));
    const Terms all{n, n / 5, n};
    std::int64_t next = all.first;
    for (std::int64_t part = 0; part < parts; ++part) {
        const Terms terms = pi::part_of(all, part, parts);
        REQUIRE(terms.n == n);
        REQUIRE(terms.first == next);
        const std::int64_t length = terms.last - terms.first, least = (n - n / 5) / parts;
        REQUIRE((length == least || length == least + 1));
        next = terms.last;
    }
    REQUIRE(next == n);
}

TEMPLATE_TEST_CASE("every stage on the GPU is right for any number of terms", "[12_pi]", double, float) {
    const auto& stage = GENERATE(from_range(on_device(pi::stages<TestType>)));
    const Terms terms = pi::all_terms(any_size());
    CAPTURE(stage.name);
    check_stage(stage, terms);
}

TEMPLATE_TEST_CASE("every stage on the GPU is right for any piece", "[12_pi]", double, float) {
    const auto& stage = GENERATE(from_range(on_device(pi::stages<TestType>)));
    CAPTURE(stage.name);
    for (const Terms& terms : random_pieces()) check_stage(stage, terms);
}

TEMPLATE_TEST_CASE("every stage on the host is right for any piece and any number of threads", "[12_pi]", double,
                   float) {
    const auto& stage = GENERATE(from_range(on_host(pi::stages<TestType>)));
    const auto threads = GENERATE(1u, 2u, 3u, 17u);
    CAPTURE(stage.name, threads);
    std::vector<Terms> pieces = random_pieces();
    for (const std::int64_t n : {1, 2, 3, 31, 33, 1000, 1009, 1'000'003}) pieces.push_back(pi::all_terms(n));
    for (const Terms& terms : pieces)
        REQUIRE_RIGHT(stage.on_host(terms, threads), terms, stage.roundings(terms, threads));
}

TEST_CASE("a workspace serves one launch after the other, with the same bits each time", "[12_pi]") {
    const auto& stage = GENERATE(from_range(on_device(pi::stages<double>)));
    CAPTURE(stage.name);
    const std::vector<std::int64_t> sizes = {1'000'003, 1, 5000, 1'000'003, 7, 300};
    auto workspace = pi::make_workspace<double>();
    auto results = poisoned<double>(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)  // all queued
        stage.launch(pi::all_terms(sizes[i]), results.data() + i, workspace.data());
    const std::vector<double> values = results.to_host();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Terms terms = pi::all_terms(sizes[i]);
        REQUIRE_RIGHT(values[i], terms, stage.roundings(terms, 1));
    }
    REQUIRE(std::bit_cast<std::uint64_t>(values[0]) == std::bit_cast<std::uint64_t>(values[3]));
}

TEST_CASE("a float sum stops growing, and two ways of adding mend that", "[12_pi]") {
    // At 2^26 floats are 8 apart, and no term is larger than 4.
    const Terms terms = pi::all_terms(100'000'000);
    REQUIRE(pi::serial<float>(terms, 1) == 0x1p26f * 1e-8f);
    REQUIRE(std::isinf(pi::error_bound<float>(3, pi::serial_roundings(terms, 1))));
    const double two_ulps = 0x1p-21;
    REQUIRE(std::abs(pi::pairwise<float>(terms, 1) - std::numbers::pi) < two_ulps);
    REQUIRE(std::abs(pi::compensated<float>(terms, 1) - std::numbers::pi) < two_ulps);
}

TEST_CASE("threads that write every term to memory", "[12_pi]") {
    const auto& stage = GENERATE(from_range(on_host(pi::sharing_stages)));
    const auto n = GENERATE(as<std::int64_t>{}, 1, 2, 33, 1009, 100'003);
    const auto threads = GENERATE(1u, 4u);
    CAPTURE(stage.name, threads);
    const Terms terms = pi::all_terms(n);
    const double value = stage.on_host(terms, threads), roundings = pi::serial_roundings(terms, threads);
    if (stage.loses_terms && threads > 1) {
        const auto exact = static_cast<double>(pi::exact(terms));
        REQUIRE(value > 0);
        REQUIRE(value <= exact + pi::error_bound<double>(exact, roundings));
    } else {
        REQUIRE_RIGHT(value, terms, roundings);
    }
}

TEST_CASE("pi prints every stage, in double and in float", "[12_pi]") {
    const TemporaryFile json;
    const Outcome result = run(program("12_pi", "pi") + " --n 1000003 --threads 3 --repeat 1 --json " + json.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    const std::size_t in_double = result.out.find("\nin double, n = 1,000,003 terms\n"),
                      in_float = result.out.find("\nin float, n = 1,000,003 terms\n"),
                      sharing = result.out.find("\nevery term to memory, threads: 3, n = 1,000,003 terms\n");
    REQUIRE(in_double < in_float);
    REQUIRE(in_float < sharing);
    REQUIRE(sharing != std::string::npos);
    const auto has_row = [&](std::string_view name, std::size_t from, std::size_t to) {
        return result.out.substr(from, to - from).find("\n" + std::string(name) + " ") != std::string::npos;
    };
    const auto shown = [](std::string_view name) {
        const std::size_t slash = name.find('/');
        return slash == name.npos ? std::string(name) : "  · " + std::string(name.substr(slash + 1));
    };
    for (const auto& stage : pi::stages<double>) REQUIRE(has_row(shown(stage.name), in_double, in_float));
    for (const auto& stage : pi::stages<float>) REQUIRE(has_row(shown(stage.name), in_float, sharing));
    for (const auto& stage : pi::sharing_stages) REQUIRE(has_row(shown(stage.name), sharing, result.out.size()));
    for (const char* word : {"nan", "inf"}) REQUIRE(result.out.find(word) == std::string::npos);
    for (const char* word : {"\"chapter\": \"12_pi\"", "\"n\": 1000003", "\"9_polynomials\"",
                             "\"2_cpu_pairwise/compensated\"", "\"4_cpu_openmp/racy\""})
        REQUIRE(json.text().find(word) != std::string::npos);
}

TEST_CASE("pi's options", "[12_pi]") {
    const std::string pi_program = program("12_pi", "pi");

    SECTION("where all write to memory there are fewer terms") {
        const Outcome result = run(pi_program + " --n 4000001 --threads 2 --stage 3_cpu_threads/apart");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\nevery term to memory, threads: 2, n = 4,000,000 terms\n") != std::string::npos);
    }
    SECTION("one stage") {
        const Outcome result = run(pi_program + " --n 1000 --stage 9");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n9_polynomials ") != std::string::npos);
        REQUIRE(result.out.find("8_shared_division") == std::string::npos);
        for (const char* empty : {"in float", "every term to memory"})
            REQUIRE(result.out.find(empty) == std::string::npos);
    }
    SECTION("devices share the terms, where there are several") {
        const std::string stage = GENERATE("10_two_devices", "11_nccl"), devices = GENERATE("2", "3");
        if (std::ranges::find(pi::stages<double>, stage, &pi::Stage<double>::name) == pi::stages<double>.end()) {
            WARN("skipped: " << stage << " was not built");
            return;
        }
        for (const char* n : {"1", "1021", "70001"}) {
            const Outcome result =
                run("env EMULATOR_DEVICES=" + devices + " " + pi_program + " --n " + n + " --stage " + stage);
            CAPTURE(devices, n, result.out, result.err);
            REQUIRE(result.exit_code == 0);
            REQUIRE(result.out.find("\n" + stage + " ") != std::string::npos);
        }
    }
    SECTION("a stage with its variants, in all tables") {
        const Outcome result = run(pi_program + " --n 1000 --threads 2 --stage 4");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        for (const char* title : {"in double", "in float", "every term to memory"})
            REQUIRE(result.out.find("\n" + std::string(title)) != std::string::npos);
        for (const char* row : {"\n4_cpu_openmp ", "\n4_cpu_openmp\n  · critical ", "\n  · atomic ", "\n  · racy "})
            REQUIRE(result.out.find(row) != std::string::npos);
        REQUIRE(result.out.find("apart") == std::string::npos);
    }
    SECTION("a variant alone, in the tables that have it, beside what its time is compared with") {
        const auto [asked, row, reference, empty] = GENERATE(table<std::string, std::string, std::string, std::string>(
            {{"2/compensated", "2_cpu_pairwise\n  · compensated", "1_cpu_serial", "every term to memory"},
             {"4/racy", "4_cpu_openmp\n  · racy", "3_cpu_threads\n  · neighbours", "in double"}}));
        const Outcome result = run(pi_program + " --n 1000 --threads 2 --stage " + asked);
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        for (const std::string& name : {row, reference})
            REQUIRE(result.out.find("\n" + name + " ") != std::string::npos);
        for (const std::string& other : {empty, std::string("2_cpu_pairwise "), std::string("4_cpu_openmp ")})
            REQUIRE(result.out.find("\n" + other) == std::string::npos);
    }
    SECTION("a single term, more threads than terms") {
        const Outcome result = run(pi_program + " --n 1 --threads 5 --repeat 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
    }
    SECTION("the default is less on the emulator, which is said") {
        if (!on_emulator()) return;
        const Outcome result = run(pi_program + " --stage 8 --repeat 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\nOn a GPU it is n = 1,000,000,000. Here it is less") != std::string::npos);
        REQUIRE(result.out.find("n = 10,000,000 terms\n") != std::string::npos);
    }
}

TEST_CASE("pi refuses what makes no sense, in one line", "[12_pi]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^53", "2^52"},
        {"--n 4503599627370497", "2^52"},
        {"--threads 0", "--threads 0"},
        {"--threads -1", "-1"},
        {"--threads 1025", "1024"},
        {"--threads two", "two"},
    }));
    const Outcome result = run(program("12_pi", "pi") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("float_sums shows the error over the number of terms", "[12_pi]") {
    const std::string float_sums = program("12_pi", "float_sums");
    const TemporaryFile json;
    const Outcome result = run(float_sums + " --json " + json.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE((result.out.find("On a GPU the table goes on") != std::string::npos) == on_emulator());
    for (const char* terms : {"1e3", "1e7"})
        REQUIRE(result.out.find("\n" + std::string(terms) + " ") != std::string::npos);
    REQUIRE(json.text().find("\"curve\": true") != std::string::npos);
    REQUIRE(packed_json(json.text()).find("[\"1e7\",") != std::string::npos);
    for (const char* word : {"nan", "inf", "null"}) REQUIRE(json.text().find(word) == std::string::npos);
}

TEST_CASE("thread_values gets the same values back in every way, and hears of an exception", "[12_pi]") {
    const Outcome result = run(program("12_pi", "thread_values"));
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);

    std::vector<std::string> ways;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
        if (line.ends_with("   3.141593")) {
            std::istringstream cells(line.substr(24));
            double value = 0, sum = 0;
            for (int thread = 0; thread < 4 && cells >> value; ++thread) {
                // The thread's quarter of the area below 4 / (1 + x²).
                const double area = 4 * (std::atan((thread + 1) / 4.0) - std::atan(thread / 4.0));
                REQUIRE_THAT(value, Catch::Matchers::WithinAbs(area, 1e-6));
                sum += value;
            }
            REQUIRE_THAT(sum, Catch::Matchers::WithinAbs(std::acos(-1.0), 4e-6));
            ways.push_back(line.substr(0, line.find("  ")));
        }
    REQUIRE(ways == std::vector<std::string>{"pthread_create", "jthread, reference", "jthread, promise",
                                             "jthread, packaged_task", "std::async"});
    REQUIRE(result.out.ends_with("What get() told the caller: no terms\n"));
}
