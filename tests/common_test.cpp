#include <algorithm>
#include <filesystem>
#include <thread>

#include "common/alignment.h"
#include "common/check.h"
#include "common/device.h"
#include "common/stage.h"
#include "common/timer.h"
#include "harness/output.h"
#include "harness/recorded.h"
#include "harness/report.h"
#include "harness/table.h"
#include "harness/text.h"
#include "testing.h"

TEST_CASE("CUDA_CHECK names the call, the place and the error", "[common]") {
    void* p = nullptr;
    try {
        CUDA_CHECK(cudaMalloc(&p, std::size_t{1} << 60));
        FAIL("2^60 bytes cannot be had");
    } catch (const cuda_error& error) {
        const std::string what = error.what();
        REQUIRE(error.code == cudaErrorMemoryAllocation);
        for (const char* part : {"common_test.cpp:", "cudaMalloc(&p", "cudaErrorMemoryAllocation", "out of memory"})
            REQUIRE(what.find(part) != std::string::npos);
    }
    REQUIRE_NOTHROW(CUDA_CHECK_LAUNCH());  // Reported once is enough.
}

TEST_CASE("run_program turns exceptions into exit codes", "[common]") {
    REQUIRE(run_program([] {}) == 0);
    REQUIRE(run_program([] { throw wrong_result("3_x is wrong at index 0: expected 1, got 2"); }) == 1);
    REQUIRE(run_program([] { throw output_error("standard output: No space left on device"); }) == 1);
    REQUIRE(run_program([] { throw usage_error("no"); }) == 2);
    REQUIRE(run_program([] { throw std::bad_alloc(); }) == 2);
    REQUIRE(run_program([] { throw cuda_error(cudaErrorInvalidValue, "call", "file", 1); }) == 3);
    REQUIRE(run_program([] { throw std::out_of_range("nobody expects this one"); }) == 1);
}

TEST_CASE("multiprocessors() is what the device's properties say", "[common]") {
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    REQUIRE(multiprocessors() > 0);
    REQUIRE(multiprocessors() == static_cast<unsigned>(properties.multiProcessorCount));
}

TEST_CASE("a DeviceBuffer takes and gives no more than it has", "[common]") {
    const std::vector<int> values = random_values<int>(7);
    DeviceBuffer<int> buffer(6);
    buffer.copy_from(std::span(values).first(6));
    REQUIRE_THROWS_AS(buffer.copy_from(values), std::length_error);
    std::vector<int> back(7, -1);
    REQUIRE_THROWS_WITH(buffer.copy_to(back), "a copy of 7 values, and the device buffer has 6");
    REQUIRE(back == std::vector<int>(7, -1));
    REQUIRE(buffer.to_host() == std::vector<int>(values.begin(), values.begin() + 6));
    REQUIRE_THROWS_AS(DeviceBuffer<int>().copy_from(values), std::length_error);
}

TEST_CASE("a DeviceBuffer holds what it is given", "[common]") {
    const auto values = random_values<int>(GENERATE(0, 1, 1000));
    auto buffer = DeviceBuffer<int>::from_host(values);
    REQUIRE(buffer.size() == values.size());
    REQUIRE_SAME(buffer.to_host(), values);

    auto moved = std::move(buffer);
    REQUIRE_SAME(moved.to_host(), values);
    REQUIRE(buffer.size() == 0);
    REQUIRE(buffer.data() == nullptr);

    moved.poison();
    for (const int value : moved.to_host()) REQUIRE(value == -1);
}

TEST_CASE("comparing finds the first difference, and a NaN is never right", "[common]") {
    const std::vector<float> expected{1, 2, 3};
    const auto difference = [&](std::vector<float> actual) { return first_difference<float>(actual, expected); };
    REQUIRE_FALSE(difference({1, 2, 3}));
    REQUIRE(difference({1, 5, 4}) == 1);
    REQUIRE(difference({1, 2}) == 2);
    REQUIRE(difference({1, 2, 3, 4}) == 3);

    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> with_nan{nan};
    REQUIRE(first_difference<float>(with_nan, with_nan) == 0);

    const std::vector<float> actual{1, 2, -1};
    REQUIRE_THROWS_WITH(require_same<float>("5_vectorized", actual, expected),
                        "5_vectorized is wrong at index 2: expected 3, got -1");
}

TEST_CASE("a result may be as far off as its bound, and a NaN is never close", "[common]") {
    REQUIRE_NOTHROW(require_within("2_x", 1.5, 1, 0.5));
    REQUIRE_NOTHROW(require_within("2_x", 0.5, 1, 0.5));
    REQUIRE_THROWS_WITH(require_within("2_x", 0.25, 1, 0.5), "2_x is wrong: expected 1 within 0.5, got 0.25");
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    REQUIRE_THROWS_AS(require_within("2_x", nan, 1, 0.5), wrong_result);
    REQUIRE_THROWS_AS(require_within("2_x", infinity, 1, 0.5), wrong_result);
    REQUIRE_THROWS_AS(require_within("2_x", 1, nan, 0.5), wrong_result);
    REQUIRE_THROWS_AS(require_within("2_x", 1, 1, nan), wrong_result);
}

TEST_CASE("how far it is to the next multiple of 16 bytes", "[common]") {
    alignas(16) const float floats[8] = {};
    for (std::size_t i = 0; i < 8; ++i) REQUIRE(to_boundary(floats + i) == (8 - i) % 4);
    alignas(16) const unsigned char bytes[32] = {};
    for (std::size_t i = 0; i < 32; ++i) REQUIRE(to_boundary(bytes + i) == (32 - i) % 16);
}

TEST_CASE("timers measure what they are given", "[common]") {
    using namespace std::chrono_literals;
    int calls = 0;
    const double seconds = host_seconds(
        [&] {
            ++calls;
            std::this_thread::sleep_for(2ms);
        },
        {.repeats = 3});
    REQUIRE(calls == 4);  // one to warm up
    REQUIRE(seconds >= 2e-3);

    calls = 0;
    host_seconds(
        [&] {
            ++calls;
            std::this_thread::sleep_for(on_emulator() ? 60ms : 300ms);
        },
        {.repeats = 15});
    REQUIRE(calls == 3);  // no third sample of long work

    calls = 0;
    gpu_seconds([&] { ++calls; }, {.repeats = 1});
    REQUIRE(calls == 2);  // a single sample is one call, however short

    // Short work, though its first calls take long: that which loads a kernel, and one that something disturbs. Other
    // work on the machine may disturb any call, but not those of ten measurements.
    const auto most_calls = [&](int long_ones) {
        int most = 0;
        for (int i = 0; i < 10 && most <= 100; ++i) {
            calls = 0;
            gpu_seconds([&] {
                if (++calls <= long_ones) std::this_thread::sleep_for(1ms);
            });
            most = std::max(most, calls);
        }
        return most;
    };
    REQUIRE(most_calls(1) > 100);
    REQUIRE(most_calls(2) > 100);

    DeviceBuffer<char> small(16), large(64 << 20);
    const double short_work = gpu_seconds([&] { CUDA_CHECK(cudaMemsetAsync(small.data(), 0, small.size())); });
    const double long_work = gpu_seconds([&] { CUDA_CHECK(cudaMemsetAsync(large.data(), 0, large.size())); });
    REQUIRE(short_work > 0);
    REQUIRE(long_work > short_work);
    REQUIRE(gpu_seconds([&] { CUDA_CHECK(cudaMemsetAsync(small.data(), 0, small.size())); }, {.cold_l2 = true}) > 0);
    REQUIRE(copy_bandwidth() > 1e8);
}

namespace {

struct Toy {
    static double cpu() { return 1; }
    static void half(int) {}
    static void whole(int) {}
};
using ToyStage = Stage<void(int), double()>;
constexpr ToyStage toy_stages[] = {{"1_cpu", "on the host", Toy::cpu},
                                   {"2_half", "half of it", Toy::half},
                                   {"2_half/other", "the other half", Toy::half},
                                   {"3_whole", "all", Toy::whole}};
const Chapter toy{.name = "99_toy", .about = "A toy.", .n = 7, .unit = "things", .bench_sizes = {100, 200}};

Options read(std::vector<const char*> arguments, const Chapter& chapter = toy) {
    arguments.insert(arguments.begin(), "toy");
    return read_options(static_cast<int>(arguments.size()), const_cast<char**>(arguments.data()), chapter,
                        names_of(toy_stages));
}

}  // namespace

TEST_CASE("options have the chapter's defaults and the user's values", "[common]") {
    REQUIRE(read({}).sizes == std::vector<std::size_t>{7});
    REQUIRE(read({"--n", "2^20"}).sizes == std::vector<std::size_t>{1 << 20});
    REQUIRE(read({"--bench"}).sizes == std::vector<std::size_t>{100, 200});
    Chapter slow = toy;
    slow.n_on_emulator = 3;
    REQUIRE(read({}, slow).sizes == std::vector<std::size_t>{on_emulator() ? 3u : 7u});
    REQUIRE(read({"--n", "7"}, slow).sizes == std::vector<std::size_t>{7});
    REQUIRE(read({"--seed", "0"}).seed == 0);
    REQUIRE(read({"--repeat", "3"}).timing.repeats == 3);
    REQUIRE(read({"--cold"}).timing.cold_l2);
    REQUIRE(read({"--stage", "2/other"}).stage == "2/other");
    REQUIRE(read({"--stage", "2/other"}).row == "2/other");
    REQUIRE(read({"--stage", "2/other", "--among"}).stage == "2/other");
    REQUIRE(read({"--stage", "2/other", "--among"}).row.empty());
    for (const char* none : {"4", "2/whole", "3/other", "other", "/", "2/", "hal"})
        REQUIRE_THROWS_AS(read({"--stage", none}), usage_error);
    REQUIRE_THROWS_AS(read({"--n", "0"}), usage_error);
}

TEST_CASE("a stage is chosen with its variants, or a variant alone", "[common]") {
    for (const char* asked : {"", "4", "04", "atomic_per_block", "4_atomic_per_block"}) {
        CAPTURE(asked);
        REQUIRE(is_chosen(asked, "4_atomic_per_block"));
        REQUIRE(is_chosen(asked, "4_atomic_per_block/full_grid"));
    }
    for (const char* asked : {"4/full_grid", "04/full_grid", "4_atomic_per_block/full_grid"}) {
        CAPTURE(asked);
        REQUIRE_FALSE(is_chosen(asked, "4_atomic_per_block"));
        REQUIRE(is_chosen(asked, "4_atomic_per_block/full_grid"));
        REQUIRE_FALSE(is_chosen(asked, "4_atomic_per_block/managed"));
    }
    for (const char* asked : {"3", "40", "14", "4_", "4_atomic", "full_grid", "/full_grid", "5/full_grid"}) {
        CAPTURE(asked);
        REQUIRE_FALSE(is_chosen(asked, "4_atomic_per_block"));
        REQUIRE_FALSE(is_chosen(asked, "4_atomic_per_block/full_grid"));
    }
    REQUIRE(is_chosen("library", "library"));
    REQUIRE(is_chosen("b4", "b4_tiled"));
    REQUIRE(any_chosen("2/other", toy_stages));
    REQUIRE_FALSE(any_chosen("4", toy_stages));
}

TEST_CASE("whole numbers in all the ways to write them", "[common]") {
    const auto [text, value] = GENERATE(table<std::string, std::size_t>({
        {"1", 1},
        {"0012", 12},
        {"1000003", 1000003},
        {"9007199254740993", 9007199254740993},  // no double holds it
        {"9223372036854775807", 9223372036854775807},
        {"2^20", 1 << 20},
        {"3^39", 4052555153018976267},
        {"1^999999999999", 1},
        {"7^0", 1},
        {"1e6", 1'000'000},
        {"1E+6", 1'000'000},
        {"2.5e6", 2'500'000},
        {"2.50e1", 25},
        {"1e0", 1},
        {"9e18", 9'000'000'000'000'000'000},
    }));
    REQUIRE(parse_count("--n", text) == value);
}

TEST_CASE("what is no whole number from 1 on is refused", "[common]") {
    const std::string text = GENERATE(as<std::string>{}, "", "0", "-5", "+5", " 5", "5 ", "1.5", "1e", "e6", "1e-3",
                                      "1e1.5", "2.5e0", "1.25e1", "0e6", "0^5", "2^", "^2", "2^3^2", "2^1e1", "nan",
                                      "1e99999999999999999999", "0x10", "1e3e3", "1,000");
    REQUIRE(complaint([&] { parse_count("--n", text); }) ==
            "--n " + text + ": must be a whole number from 1 on, such as 1000, 1e6 or 2^20");
}

TEST_CASE("a number that no size can be is refused", "[common]") {
    const std::string text = GENERATE(as<std::string>{}, "inf", "1e19", "1e400", "9223372036854775808", "2^63", "2^64",
                                      "2^999999999999", "99999999999999999999");
    REQUIRE(complaint([&] { parse_count("--n", text); }) == "--n " + text + ": must be less than 2^63");
}

TEST_CASE("widths are counted in characters", "[common]") {
    REQUIRE(width_of("") == 0);
    REQUIRE(width_of("3.05 µs × –") == 11);
    REQUIRE(right("µs", 4) == "  µs");
    REQUIRE(left("µs", 4) == "µs  ");
    REQUIRE(right("wide", 2) == "wide");
    REQUIRE(left("wide", 2) == "wide");
    REQUIRE(shortened("µµµ", 3) == "µµµ");
    REQUIRE(shortened("µµµµ", 3) == "µµ…");
}

TEST_CASE("long text is broken at blanks", "[common]") {
    const std::string word(39, 'x'), line = word + " " + word + "µ";  // 80 characters
    REQUIRE(wrapped(line) == line);
    REQUIRE(wrapped(line + "µ", 2) == word + "\n  " + word + "µµ");
    REQUIRE(wrapped(line + " " + word, 2) == line + "\n  " + word);
    REQUIRE(wrapped("\n" + line + "\n" + line + "  a\n") == "\n" + line + "\n" + line + "\na\n");
    REQUIRE(wrapped("  " + word + word + word + " a", 4) == "  " + word + word + word + "\n    a");  // it stays whole
    REQUIRE(wrapped("    " + word + word + word, 4) == "    " + word + word + word);
}

TEST_CASE("control characters are spelled out", "[common]") {
    REQUIRE(visible("plain µ × – text") == "plain µ × – text");
    REQUIRE(visible("a\nb\tc\rd\x1b[0m\x7f") == "a\\nb\\tc\\rd\\x1b[0m\\x7f");
    REQUIRE(visible("\xc2\x9b"
                    "2J") == "\\x9b2J");
    REQUIRE(visible("\xc2\xb5") == "µ");
    REQUIRE(visible("\xc2") == "\xc2");
}

TEST_CASE("whether a file can be written is known before, and leaves no trace", "[common]") {
    const auto complaint_about = [](const std::string& path) {
        return complaint([&] { require_writable("--json", path); });
    };
    REQUIRE(complaint_about("/no/such/folder/x") ==
            "--json: cannot write /no/such/folder/x: No such file or directory");
    REQUIRE(complaint_about("/tmp") == "--json: cannot write /tmp: Is a directory");
    REQUIRE(complaint_about("") == "--json: cannot write \"\": No such file or directory");
    REQUIRE(complaint_about("/dev/null") == "no error");

    const TemporaryFile file("here before");
    REQUIRE(complaint_about(file.path()) == "no error");
    REQUIRE(file.text() == "here before");
    const std::string other = file.path() + ".other", link = file.path() + ".link";
    REQUIRE(complaint_about(other) == "no error");
    REQUIRE_FALSE(std::filesystem::exists(other));
    std::filesystem::create_symlink(other, link);
    REQUIRE(complaint_about(link) == "no error");
    REQUIRE(std::filesystem::is_symlink(link));
    std::filesystem::remove(link);
}

TEST_CASE("a file is written whole, or it is an error", "[common]") {
    const TemporaryFile file("something longer than what comes");
    write_file(file.path(), "text\n");
    REQUIRE(file.text() == "text\n");
    REQUIRE_THROWS_WITH(write_file("/dev/full", "text"), "cannot write /dev/full: No space left on device");
    REQUIRE_THROWS_AS(write_file("/dev/full", std::string(1 << 20, 'x')), output_error);
    REQUIRE_THROWS_AS(write_file("/no/such/folder/x", ""), output_error);
}

TEST_CASE("--help is narrow, and says what does not go together", "[common]") {
    CommandLine line("toy", "A toy with a description that is so long that it takes more than one line of eighty.");
    std::string n, path;
    bool fast = false;
    line.option("--n", n, "How many things, in a sentence that goes on and on, for as long as two lines or so");
    line.flag("--fast", fast, "At once");
    line.output_file("--out", path, "A file");
    line.excludes("--fast", {"--n", "--out"});
    line.footer("The end.");
    REQUIRE(line.help() == R"(A toy with a description that is so long that it takes more than one line of
eighty.
Usage: toy [OPTIONS]

Options:
  -h, --help              Print this help and exit
  --n TEXT                How many things, in a sentence that goes on and on,
                          for as long as two lines or so; not with --fast
  --fast                  At once; not with --n, --out
  --out FILE              A file; not with --fast

The end.
)");
}

TEST_CASE("a command line is understood, or refused with the word that is wrong", "[common]") {
    std::string n = "7";
    std::optional<std::string> file;
    std::vector<std::string> kinds{"a"};
    bool fast = false;
    CommandLine line("toy", "A toy.");
    line.option("--n", n, "how many");
    line.option("--file", file, "a file");
    line.list("--kind", kinds, "a, b", {"a", "b"});
    line.flag("--fast", fast, "at once");
    line.excludes("--fast", {"--file"});
    const auto parse = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "toy");
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        line.parse(static_cast<int>(words.size()), arguments.data());
    };

    SECTION("nothing changes nothing") {
        parse({});
        REQUIRE((n == "7" && !file && kinds == std::vector<std::string>{"a"} && !fast));
    }
    SECTION("values stand behind a blank or a =, lists may come in pieces") {
        parse({"--n=-5", "--kind", "b,a", "--file", "", "--kind=b"});
        REQUIRE(n == "-5");
        REQUIRE(file == "");
        REQUIRE(kinds == std::vector<std::string>{"b", "a", "b"});
        REQUIRE(!fast);
    }
    SECTION("a flag has no value") {
        parse({"--fast"});
        REQUIRE(fast);
    }
    SECTION("what makes no sense") {
        const auto [words, said] = GENERATE(table<std::vector<std::string>, std::string>({
            {{"--bogus"}, "unknown option --bogus"},
            {{"--n", "1", "--bogus=3"}, "unknown option --bogus=3"},
            {{"-x"}, "unknown option -x"},
            {{"--fast=1"}, "unknown option --fast=1"},
            {{"--f"}, "unknown option --f"},
            {{"--n"}, "--n: a value is missing"},
            {{"--n", "1", "--n", "2"}, "--n is given twice"},
            {{"--fast", "--file", "x"}, "--file does not go with --fast"},
            {{"--kind", "a,c"}, "--kind: 'c' is none of a, b"},
            {{"stray", "--n", "3"}, "'stray' belongs to no option"},
            {{"--n", "3", "--", "--fast"}, "'--fast' belongs to no option"},
        }));
        CAPTURE(words);
        REQUIRE_THROWS_AS(parse(words), usage_error);
        REQUIRE_THROWS_WITH(parse(words), said + " (--help lists the options)");
    }
}

namespace {

/// Writes down which steps a report asks for: p, u, l, d, v and h (on the host), repeated ones once.
struct ToyTrial : Trial<ToyStage> {
    std::string steps;
    std::vector<std::string> seen;    // the stages
    std::optional<double> error = 0;  // of all
    std::optional<int> right_runs;    // after so many launches all is wrong
    int launches = 0;
    std::string_view left_out;                // this stage
    std::chrono::milliseconds host_takes{0};  // 1_cpu

    void log(char step) {
        if (steps.empty() || steps.back() != step) steps += step;
    }
    void on_host() override {
        log('h');
        std::this_thread::sleep_for(host_takes);
    }
    void upload() override { log('u'); }
    void launch() override {
        log('l');
        ++launches;
    }
    void download() override { log('d'); }
    void poison() override {
        log('p');
        if (seen.empty() || seen.back() != stage().name) seen.emplace_back(stage().name);
    }
    std::optional<double> verify() override {
        log('v');
        if (right_runs && launches > *right_runs) throw wrong_result(std::string(stage().name) + " is wrong");
        return error;
    }
    std::string why_left_out() override { return stage().name == left_out ? "it is slow" : ""; }
};

/// What a report of a toy's run writes with --json.
std::string json_of(ToyTrial& trial, Work work = {.bytes = 1}) {
    const TemporaryFile json;
    Report report(toy, read({"--repeat", "1", "--json", json.path().c_str()}));
    report.begin("toy", 7, work);
    report.run(toy_stages, trial);
    report.write();
    return json.text();
}

}  // namespace

TEST_CASE("a stage is poisoned, run, verified, once more, and only then timed", "[common]") {
    Report report(toy, read({"--repeat", "1", "--stage", "3"}));
    report.begin("toy", 7, {.bytes = 1});
    ToyTrial trial;
    report.run(toy_stages, trial);
    //                          the host's, and twice: poisoned, run, verified; then timed, alone and with the copies
    REQUIRE(trial.steps.starts_with("phvupldvpldvluld"));
    REQUIRE(report.seconds("3_whole").has_value());
    REQUIRE_FALSE(report.seconds("2_half").has_value());
}

TEST_CASE("a wrong stage has no time, and it is said in which run it was wrong", "[common]") {
    const int right_runs = GENERATE(0, 1);
    Report report(toy, read({"--repeat", "1", "--stage", "3"}));
    report.begin("toy", 7, {.bytes = 1});
    ToyTrial trial;
    trial.right_runs = right_runs;
    REQUIRE_THROWS_WITH(report.run(toy_stages, trial),
                        std::string("3_whole is wrong, in its ") + (right_runs == 0 ? "first run" : "second run"));
    REQUIRE(trial.launches == right_runs + 1);
    REQUIRE_FALSE(report.seconds("3_whole").has_value());
}

TEST_CASE("which stages a report runs", "[common]") {
    const auto runs = [](const char* asked, std::string_view left_out = "") {
        std::vector<const char*> arguments{"--repeat", "1"};
        if (*asked) arguments.insert(arguments.end(), {"--stage", asked});
        Report report(toy, read(arguments));
        report.begin("toy", 7, {.bytes = 1});
        ToyTrial trial;
        trial.left_out = left_out;
        report.run(toy_stages, trial);
        return trial.seen;
    };
    using Names = std::vector<std::string>;
    REQUIRE(runs("") == Names{"1_cpu", "2_half", "2_half/other", "3_whole"});
    REQUIRE(runs("1") == Names{"1_cpu"});
    REQUIRE(runs("2") == Names{"1_cpu", "2_half", "2_half/other"});
    REQUIRE(runs("2/other") == Names{"1_cpu", "2_half/other"});
    REQUIRE(runs("", "2_half") == Names{"1_cpu", "2_half/other", "3_whole"});
    REQUIRE(runs("3", "3_whole") == Names{"1_cpu", "3_whole"});  // asked for
}

TEST_CASE("what this device lacks is said with both compute capabilities", "[common]") {
    cudaDeviceProp p{};
    REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    const std::string has = "; this GPU has " + std::to_string(p.major) + "." + std::to_string(p.minor);
    REQUIRE(why_not_here({}) == "");
    REQUIRE(why_not_here({p.major, p.minor}) == "");
    REQUIRE(why_not_here({p.major - 1, 9}) == "");
    REQUIRE(why_not_here({p.major, p.minor + 1}) ==
            "needs compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor + 1) + has);
    REQUIRE(why_not_here({p.major + 1, 0}) == "needs compute capability " + std::to_string(p.major + 1) + ".0" + has);
    REQUIRE(why_not_here({p.major - 1, 9, true}) ==
            "needs compute capability " + std::to_string(p.major - 1) + ".9 and no other" + has);
    REQUIRE(why_not_here({p.major, p.minor, true}) == "");
}

TEST_CASE("stages are listed in the order of their files' numbers", "[common]") {
    struct Own : ToyStage {};
    const auto list = [](const char* file, auto... stages) { const Listed listed(file, stages...); };
    list("../library.cu", Own{{"the library", Toy::whole}});
    list("/a/chapter/10_last.cu", Own{{"ten", Toy::whole}});
    list("t1_other.cu", Own{{"another ladder", Toy::whole}});
    list("2_half.cu", Own{{"two", Toy::half}}, Own{{"again", "two once more", Toy::half}}, Own{{"a", "", Toy::half}});
    list("1_cpu.cpp", Own{{"one", Toy::cpu}});
    std::vector<std::string_view> names;
    for (const Own& stage : all_stages<Own>()) names.push_back(stage.name);
    REQUIRE(names == std::vector<std::string_view>{"1_cpu", "2_half", "2_half/again", "2_half/a", "10_last", "t1_other",
                                                   "library"});
}

TEST_CASE("a stage that needs another device is left out, and refused if it is asked for", "[common]") {
    constexpr ToyStage stages[] = {{"1_cpu", "on the host", Toy::cpu},
                                   {"2_half", "for a device that nobody has", Toy::half, ComputeCapability{99, 1}},
                                   {"3_whole", "for any device", Toy::whole}};
    const auto run = [&](std::initializer_list<const char*> asked, ToyTrial& trial) {
        std::vector<const char*> arguments{"--repeat", "1"};
        arguments.insert(arguments.end(), asked);
        Report report(toy, read(arguments));
        report.begin("toy", 7, {.bytes = 1});
        report.run(stages, trial);
    };
    ToyTrial trial;
    run({}, trial);
    REQUIRE(trial.seen == std::vector<std::string>{"1_cpu", "3_whole"});
    REQUIRE_THROWS_AS(run({"--stage", "2"}, trial), usage_error);
    REQUIRE(complaint([&] { run({"--stage", "2"}, trial); }).starts_with("2_half needs compute capability 99.1; this"));
    REQUIRE(on_device(stages).size() == 1);
}

TEST_CASE("the first time on the host is the 1 × of the speed-ups", "[common]") {
    ToyTrial trial;
    trial.host_takes = std::chrono::milliseconds(20);
    std::vector<double> speedups;
    const std::string key = "\"speedup\": ", written = json_of(trial);
    for (std::size_t at = written.find(key); at != std::string::npos; at = written.find(key, at + 1))
        speedups.push_back(std::stod(written.substr(at + key.size())));
    REQUIRE(speedups.size() == 4);
    REQUIRE(speedups[0] == 1);
    REQUIRE(speedups[1] > 2);
}

TEST_CASE("a table counts bytes, operations or other items, and knows the device's best", "[common]") {
    const auto written = [](Work work) {
        ToyTrial trial;
        return json_of(trial, work);
    };
    const auto nulls = [](const std::string& text, const std::string& key) {
        int found = 0;
        const std::string null = "\"" + key + "\": null";
        for (std::size_t at = text.find(null); at != text.npos; at = text.find(null, at + 1)) ++found;
        return found;
    };
    const bool known = peak_flops().has_value();
    REQUIRE(known == !on_emulator());
    REQUIRE((!known || (*peak_flops() > 1e11 && *peak_flops() < 1e15)));

    constexpr int stages = 4, host_stages = 1;
    const std::string bytes = written({.bytes = 1});
    REQUIRE(nulls(bytes, "gflop_per_s") == stages);
    REQUIRE(nulls(bytes, "percent_of_peak") == stages);
    REQUIRE(nulls(bytes, "gb_per_s") == 0);
    REQUIRE(nulls(bytes, "percent_of_copy") == host_stages);

    const std::string rays = written({.bytes = 1, .items = 1e6, .items_are = "rays"});
    for (const char* key : {"gb_per_s", "gflop_per_s", "percent_of_copy", "percent_of_peak"})
        REQUIRE(nulls(rays, key) == stages);
    REQUIRE(nulls(rays, "mega_items_per_s") == 0);
    REQUIRE(nulls(bytes, "mega_items_per_s") == stages);
    const auto first = [&](const std::string& key) {
        return std::stod(rays.substr(rays.find("\"" + key + "\": ") + key.size() + 4));
    };
    REQUIRE(std::abs(first("mega_items_per_s") * first("seconds") - 1) < 1e-6);
    REQUIRE(rays.find("\"items_are\": \"rays\"") != rays.npos);

    const std::string flops = written({.bytes = 1, .flops = 1});
    REQUIRE(nulls(flops, "gb_per_s") == stages);
    REQUIRE(nulls(flops, "percent_of_copy") == stages);
    REQUIRE(nulls(flops, "gflop_per_s") == 0);
    REQUIRE(nulls(flops, "percent_of_peak") == (known ? host_stages : stages));
    REQUIRE(nulls(flops, "peak_gflop_per_s") == !known);
    if (known) {  // A GPU has from half as many cores for fp64 to a 64th.
        REQUIRE(*peak_flops(Precision::fp64) <= *peak_flops() / 2);
        REQUIRE(*peak_flops(Precision::fp64) >= *peak_flops() / 64);
        const std::string doubles = written({.flops = 1, .precision = Precision::fp64});
        const std::string key = "\"peak_gflop_per_s\": ";
        REQUIRE(std::stod(doubles.substr(doubles.find(key) + key.size())) == *peak_flops(Precision::fp64) / 1e9);
    }
}

TEST_CASE("what the host does is verified too, but for the reference", "[common]") {
    ToyTrial trial;
    trial.error = 0.25;
    REQUIRE(json_of(trial).find("\"name\": \"1_cpu\"") != std::string::npos);
    REQUIRE(json_of(trial).find("\"error\": null") == std::string::npos);
    trial.error = std::nullopt;
    REQUIRE(json_of(trial).find("\"error\": null") != std::string::npos);
    trial.right_runs = -1;
    REQUIRE_THROWS_WITH(json_of(trial), "1_cpu is wrong");
}

TEST_CASE("what was recorded of a chapter", "[common]") {
    const TemporaryFile file(
        R"({"counted": [{"title": "n = 64 things, random", "command": "toy --n 64", "what": ["sectors", "atomics"],
                         "stages": {"2_half": {"sectors": 24576, "atomics": 0}}},
                        {"title": "8 balls, 8 × 8", "command": "toy --balls 8", "what": ["barriers"],
                         "stages": {"2_half": {"barriers": 9}}}],
            "gpu": "H100", "gpu_in_full": "NVIDIA H100 80GB HBM3",
            "runs": [{"title": "n = 1,000 things, random", "n": 1000, "seconds": {"2_half": 0.5}},
                     {"title": "n = 1,000,000 things, random", "n": 1000000,
                      "seconds": {"2_half": 2e-6, "2_half/other": 3e-6}},
                     {"title": "100 balls, 8 × 8", "n": 8, "seconds": {"2_half": 0.1}},
                     {"title": "20 balls, 8 × 8", "n": 8, "seconds": {"2_half": 0.02}}]})");
    const Recorded recorded(file.path());
    REQUIRE(recorded.gpu() == "H100");
    REQUIRE(recorded.gpu_in_full() == "NVIDIA H100 80GB HBM3");
    const Recorded::Counts* counts = recorded.counts("n = 1,000 things, random");
    REQUIRE(counts);
    REQUIRE(counts->command == "toy --n 64");
    REQUIRE(counts->what == std::vector<std::string>{"sectors", "atomics"});
    REQUIRE(counts->of("2_half", "sectors") == 24576);
    REQUIRE(counts->of("2_half", "atomics") == 0);
    REQUIRE_FALSE(counts->of("2_half", "barriers"));
    REQUIRE_FALSE(counts->of("3_whole", "sectors"));
    REQUIRE(recorded.counts("n = 7 of another kind") == counts);  // for want of a better one
    REQUIRE(recorded.counts("100 balls, 8 × 8")->of("2_half", "barriers") == 9);
    REQUIRE(recorded.nearest_title("n = 7 things, random", 7) == "n = 1,000 things, random");
    REQUIRE(recorded.nearest_title("n = 40,000 things, random", 40'000) == "n = 1,000,000 things, random");
    REQUIRE_FALSE(recorded.nearest_title("n = 1,000 things", 1000));    // another kind of input
    REQUIRE(recorded.seconds("100 balls, 8 × 8", 8, "2_half") == 0.1);  // of two with this n, the one with its title
    REQUIRE(recorded.seconds("20 balls, 8 × 8", 8, "2_half") == 0.02);
    REQUIRE(recorded.nearest_title("20 balls, 9 × 9", 9) == "100 balls, 8 × 8");
    REQUIRE(recorded.seconds("n = 7 things, random", 7, "2_half") == 0.5);
    REQUIRE(recorded.seconds("n = 40,000 things, random", 40'000, "2_half/other") == 3e-6);
    REQUIRE_FALSE(recorded.seconds("n = 7 things, random", 7, "2_half/other"));

    const Recorded nothing("/no/such/file");
    REQUIRE(nothing.gpu().empty());
    REQUIRE(nothing.counts("n = 7 things") == nullptr);
    REQUIRE_FALSE(nothing.seconds("n = 7 things", 7, "2_half"));
}

TEST_CASE("numbers are readable", "[common]") {
    REQUIRE(with_separators(0) == "0");
    REQUIRE(with_separators(999) == "999");
    REQUIRE(with_separators(1000) == "1,000");
    REQUIRE(with_separators(268435456) == "268,435,456");
    REQUIRE(three_digits(3.052) == "3.05");
    REQUIRE(three_digits(30.52) == "30.5");
    REQUIRE(three_digits(305.2) == "305");
    REQUIRE(three_digits(3052) == "3052");
}

TEST_CASE("a table is JSON, whatever is in it", "[common]") {
    const TemporaryFile json;
    Table table("00_toy", "a \"b\" \\ c\n", "n", {"x\xff"});
    table.add("1", {1980000});
    table.add("2", {std::nan("")});
    table.write(json.path());
    const std::string text = json.text();
    REQUIRE(text.find(R"("title": "a \"b\" \\ c\n")") != std::string::npos);
    REQUIRE(text.find("\"x\xef\xbf\xbd\"") != std::string::npos);
    REQUIRE(packed_json(text).find(R"("rows":[["1",1980000.0],["2",null]])") != std::string::npos);
}
