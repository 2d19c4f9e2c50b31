// What every program keeps to, checked by running it. Each chapter's tests have these cases, for its own programs.

#include <errno.h>  // program_invocation_short_name

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/text.h"
#include "mpi_testing.h"

namespace {

/// A program of a chapter, and how to try it.
struct Program {
    std::string chapter, name;
    std::vector<std::string> quick = {""};  ///< arguments with which it soon ends, in one way or several
    std::vector<std::string> files = {};    ///< its options that name a file to write, tried with the first of `quick`
    std::vector<std::string> help = {};     ///< what --help names, all options among it; empty: it takes no arguments
    std::string stage = {};                 ///< one of its stages
    std::string environment = {};           ///< before its name in a shell

    std::string command() const { return environment + program(chapter, name); }
    bool has(const std::string& option) const { return std::find(help.begin(), help.end(), option) != help.end(); }
};

/// What --help names where read_options() makes it, and what the chapter adds.
std::vector<std::string> of_stages(const std::vector<std::string>& own) {
    std::vector<std::string> words{"--help",   "--n",    "--bench", "--stage", "--seed",
                                   "--repeat", "--cold", "--json",  "--among", "Exit code"};
    words.insert(words.end(), own.begin(), own.end());
    return words;
}

std::vector<Program> all_programs() {
    return {
        {.chapter = "01_basics", .name = "1_add"},
        {.chapter = "01_basics", .name = "2_matrix_add_one"},
        {.chapter = "01_basics",
         .name = "3_errors",
         .quick = {"--case unchecked", "--list"},
         .help = {"--help", "--list", "--case"}},
        {.chapter = "02_device_query",
         .name = "device_query",
         .files = {"--json"},
         .help = {"--help", "--json", "--no-measure"}},
        {.chapter = "03_vector_add",
         .name = "vector_add",
         .quick = {"--n 1000 --repeat 1 --cold"},
         .files = {"--json"},
         .help = of_stages({}),
         .stage = "5_vectorized"},
        {.chapter = "04_julia",
         .name = "julia",
         .quick = {"--size 20x30 --repeat 1 --center 0.25,0.125 --scale 0.75"},
         .files = {"--json", "--out", "--difference"},
         .help = of_stages(
             {"--size", "--c", "--center", "--scale", "--iterations", "--palette", "--out", "--difference", "--show"}),
         .stage = "8_long_batches"},
        {.chapter = "05_dot_product",
         .name = "dot_product",
         .quick = {"--n 1000 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--random", "--ones"}),
         .stage = "8_deterministic"},
        {.chapter = "05_dot_product",
         .name = "trees",
         .quick = {"--n 1000 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({}),
         .stage = "t2_strided"},
        {.chapter = "06_constant_events",
         .name = "ray_tracer",
         .quick = {"--n 20 --spheres 5000 --repeat 1"},
         .files = {"--json", "--out"},
         .help = of_stages({"--spheres", "--out", "--show", "3_constant"}),
         .stage = "2_global"},
        {.chapter = "06_constant_events",
         .name = "filter",
         .quick = {"--size 20x30 --side 3 --repeat 1", "--n 20 --filter edges,emboss --pixels floats --repeat 1"},
         .files = {"--json", "--out"},
         .help = of_stages({"--side", "--filter", "--pixels", "--size", "--in", "--out", "--show", "f5_separable"}),
         .stage = "f3_constant"},
        {.chapter = "06_constant_events", .name = "event_timing", .files = {"--json"}, .help = {"--help", "--json"}},
        {.chapter = "06_constant_events",
         .name = "constant_access",
         .files = {"--json"},
         .help = {"--different", "--json"}},
        {.chapter = "06_constant_events",
         .name = "streams",
         .quick = {"--streams 2"},
         .files = {"--json"},
         .help = {"--streams", "--json"}},
        {.chapter = "07_histogram",
         .name = "histogram",
         .quick = {"--n 1000 --repeat 1", "--n 1000 --repeat 1 --blocks-per-sm 1,2 --data sorted"},
         .files = {"--json"},
         .help = of_stages({"--data", "--file", "--blocks-per-sm"}),
         .stage = "7_column_per_lane"},
        {.chapter = "08_atomic_sum",
         .name = "atomic_sum",
         .quick = {"--n 1000 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--ones", "10000000"}),
         .stage = "6_vectorized"},
        {.chapter = "08_atomic_sum", .name = "atomics_tour", .help = {"--help", "--no-races"}},
        {.chapter = "09_bubble_sort",
         .name = "bubble_sort",
         .quick = {"--n 100 --repeat 1 --data random,few", "--n 40 --trace --data random"},
         .files = {"--json"},
         .help = of_stages({"--data", "--type", "--trace"}),
         .stage = "9_merge_tree"},
        {.chapter = "10_hash_table",
         .name = "hash_table",
         .quick = {"--n 1000 --buckets 8 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--data", "--buckets", "--finds", "--few", "--in-lists-too"}),
         .stage = "10_loads_in_flight"},
        {.chapter = "10_hash_table", .name = "spin_lock", .help = {"--help", "--lockstep"}},
        {.chapter = "11_matrix_multiply",
         .name = "matrix_multiply",
         .quick = {"--a 20x30 --b 30x10 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--m", "--a", "--b", "--threads", "--float", "--binary", "--tensor"}),
         .stage = "14_fitted"},
        {.chapter = "11_matrix_multiply",
         .name = "eight_bits",
         .quick = {"--n 33 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--m", "--k", "q4_block_scales"}),
         .stage = "q2_mma"},
        {.chapter = "12_pi",
         .name = "pi",
         .quick = {"--n 1000 --repeat 1 --threads 2"},
         .files = {"--json"},
         .help = of_stages({"--threads", "1000000000", "1_cpu_serial", "4/racy"}),
         .stage = "9_polynomials"},
        {.chapter = "12_pi", .name = "float_sums", .files = {"--json"}, .help = {"--help", "--json"}},
        {.chapter = "12_pi", .name = "thread_values", .help = {"--help"}},
        {.chapter = "12_pi",
         .name = "pi_points",
         .quick = {"--n 1000 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"1000000000"}),
         .stage = "r4_both_points"},
        {.chapter = "12_pi", .name = "point_errors", .files = {"--svg"}, .help = {"--help", "--svg"}},
        {.chapter = "12_pi", .name = "bad_streams", .files = {"--svg"}, .help = {"--help", "--svg"}},
#ifdef WITH_MPI
        {.chapter = "12_pi",
         .name = "pi_mpi",
         .quick = {"--n 1000"},
         .files = {"--json"},
         .help = {"--help", "--n", "--ranks", "--on", "--repeat", "--json", "Exit code"},
         .environment = mpi_environment},
        {.chapter = "12_pi",
         .name = "points_mpi",
         .quick = {"--n 1000"},
         .help = {"--help", "--n", "--seed", "Exit code"},
         .environment = mpi_environment},
#endif
        {.chapter = "13_scan",
         .name = "scan",
         .quick = {"--n 1000 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--ones", "1048576"}),
         .stage = "9_wide_look_back"},
        {.chapter = "14_stencil",
         .name = "stencil",
         .quick = {"--n 20 --steps 3 --repeat 1"},
         .files = {"--json", "--out"},
         .help = of_stages({"--size", "--steps", "--out", "--show"}),
         .stage = "4_shared_tile"},
        {.chapter = "14_stencil",
         .name = "box",
         .quick = {"--n 10 --steps 2 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--size", "--steps"}),
         .stage = "b3_sliding"},
#ifdef WITH_MPI
        {.chapter = "14_stencil",
         .name = "stencil_mpi",
         .quick = {"--size 20x9 --steps 3 --repeat 1"},
         .files = {"--json"},
         .help = {"--help", "--size", "--steps", "--ranks", "--repeat", "--json", "Exit code"},
         .environment = mpi_environment},
#endif
        {.chapter = "15_attention",
         .name = "softmax",
         .quick = {"--n 20 --rows 3 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--rows"}),
         .stage = "s4_warp_per_row"},
        {.chapter = "15_attention",
         .name = "attention",
         .quick = {"--n 20 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--heads", "--d", "--causal"}),
         .stage = "3_tiled"},
        {.chapter = "16_sparse",
         .name = "sparse",
         .quick = {"--n 1000 --repeat 1 --cold"},
         .files = {"--json"},
         .help = of_stages({"--matrix", "--mean"}),
         .stage = "3_warp_per_row"},
        {.chapter = "16_sparse",
         .name = "bfs",
         .quick = {"--n 100 --mean 6 --repeat 1"},
         .files = {"--json"},
         .help = of_stages({"--graph", "--mean", "--source", "--levels"}),
         .stage = "b4_edges"},
    };
}

/// Those of the chapter whose tests these are: 03_vector_add_tests has that of 03_vector_add.
std::vector<Program> programs() {
    const std::string tests = program_invocation_short_name;
    std::vector<Program> programs = all_programs();
    std::erase_if(programs, [&](const Program& p) { return p.chapter + "_tests" != tests; });
    if (programs.empty()) throw std::logic_error("programs_test.cpp has no program for " + tests);
    return programs;
}

// A line may be wider if it is a single word, a long path for example, set off from the margin.
void require_narrow(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t word = std::min(line.find_first_not_of(" |"), line.size());
        const bool fits = width_of(line) <= line_width || line.find(' ', word) == line.npos;
        CAPTURE(line);
        REQUIRE(fits);
    }
}

// Ends with this code after one line on stderr, which no terminal shows as a page, and prints nothing else.
void require_refusal(const std::string& command, int exit_code, const std::string& named) {
    const Outcome outcome = run(command);
    CAPTURE(command, outcome.err, outcome.signal);
    REQUIRE(outcome.exit_code == exit_code);
    REQUIRE(outcome.out == "");
    REQUIRE(outcome.err.starts_with("error: "));
    REQUIRE(outcome.err.find(named) != std::string::npos);
    REQUIRE(outcome.err.find('\n') == outcome.err.size() - 1);
    REQUIRE(outcome.err.size() < 1000);
}

}  // namespace

TEST_CASE("its programs' --help names all options and stages", "[programs]") {
    for (const Program& p : programs()) {
        if (p.help.empty()) continue;
        const Outcome help = run(p.command() + " --help");
        CAPTURE(p.name, help.out, help.err);
        REQUIRE(help.exit_code == 0);
        REQUIRE(help.out.find(p.stage) != std::string::npos);
        for (const std::string& word : p.help) REQUIRE(help.out.find(word) != std::string::npos);
    }
}

TEST_CASE("its programs print narrow lines, and what cannot be printed is an error", "[programs]") {
    for (const Program& p : programs()) {
        std::vector<std::string> ways = p.quick;
        if (!p.help.empty()) ways.push_back("--help");
        for (const std::string& way : ways) {
            const std::string command = p.command() + " " + way;
            const Outcome outcome = run(command);
            CAPTURE(command, outcome.err);
            REQUIRE(outcome.exit_code == 0);
            require_narrow(outcome.out);
            require_refusal(command + " > /dev/full", 1, "error: standard output: No space left on device");
            require_refusal(command + " >&-", 1, "error: standard output: Bad file descriptor");
            REQUIRE(run(command + " | head -1").err == "");  // a closed pipe is no error
        }
    }
}

// The rest is the same with a GPU, where each of its many runs waits for the vendor's libraries, and is tested without
// one.
#ifdef WITH_EMULATOR
namespace {

/// Arguments that make no sense, and what the program must name.
struct Refusal {
    std::string option;  ///< for programs that have it; empty: for all that take arguments
    std::string arguments, named;
};

std::vector<Refusal> refusals() {
    std::string many = "--";
    for (int i = 0; i < 5000; ++i) many += "x ";
    return {
        {"", "--bogus", "--bogus"},
        {"", "-x", "-x"},
        {"", "stray", "stray"},
        {"", "'--bo\ngus\033[31m\r'", "--bo\\ngus\\x1b[31m\\r"},
        {"", "--" + std::string(10'000, 'x'), std::string(50, 'x')},
        {"", "'" + many + "'", "x x x x x"},
        {"--n", "--n", "--n: a value is missing"},
        {"--n", "--n 0", "--n 0"},
        {"--n", "--n -1", "--n -1"},
        {"--n", "--n -5", "--n -5"},
        {"--n", "--n 1.5", "--n 1.5"},
        {"--n", "--n 1e-3", "--n 1e-3"},
        {"--n", "--n 1e30", "--n 1e30"},
        {"--n", "--n 1e400", "--n 1e400"},
        {"--n", "--n 2^64", "--n 2^64"},
        {"--n", "--n 99999999999999999999", "--n 99999999999999999999"},
        {"--n", "--n 33*1024", "--n 33*1024"},
        {"--n", "--n 10x10", "--n 10x10"},
        {"--n", "--n many", "--n many"},
        {"--n", "--n 10 stray", "stray"},
        {"--n", "--n 10 --n 20", "--n is given twice"},
        {"--bench", "--bench=1", "--bench=1"},
        {"--bench", "--n 10 --bench", "--bench"},
        {"--bench", "--bench --n 10", "--n"},
        {"--stage", "--stage", "--stage: a value is missing"},
        {"--stage", "--stage 99", "--stage 99"},
        {"--stage", "--stage -1", "--stage -1"},
        {"--stage", "--stage nonsense", "--stage nonsense"},
        {"--seed", "--seed", "--seed: a value is missing"},
        {"--seed", "--seed -1", "--seed -1"},
        {"--seed", "--seed pi", "--seed pi"},
        {"--seed", "--seed x", "--seed x"},
        {"--repeat", "--repeat", "--repeat: a value is missing"},
        {"--repeat", "--repeat 0", "--repeat 0"},
        {"--repeat", "--repeat -1", "--repeat -1"},
        {"--repeat", "--repeat often", "--repeat often"},
        {"--cold", "--cold=1", "--cold=1"},
        {"--json", "--json", "--json: a value is missing"},
    };
}

}  // namespace

TEST_CASE("its programs refuse what makes no sense in one line, with exit code 2", "[programs]") {
    for (const Program& p : programs()) {
        if (p.help.empty()) continue;
        for (const Refusal& refusal : refusals())
            if (refusal.option.empty() || p.has(refusal.option))
                require_refusal(p.command() + " " + refusal.arguments, 2, refusal.named);
        if (!p.stage.empty()) require_refusal(p.command() + " --stage 99", 2, p.stage);  // what there is instead
    }
}

TEST_CASE("its programs find out first whether a file can be written, and keep it until then", "[programs]") {
    for (const Program& p : programs())
        for (const std::string& option : p.files) {
            const std::string command = p.command() + " " + p.quick.front() + " " + option + " ";
            require_refusal(command + "/no/such/folder/x", 2, "cannot write /no/such/folder/x: No such file");
            require_refusal(command + "/tmp", 2, "cannot write /tmp: Is a directory");
            require_refusal(command + "''", 2, "cannot write \"\": No such file");

            const Outcome full = run(command + "/dev/full");
            CAPTURE(option, full.err);
            REQUIRE(full.exit_code == 1);
            REQUIRE(full.err.starts_with("error: cannot write /dev/full: "));
            REQUIRE(full.err.find('\n') == full.err.size() - 1);

            const TemporaryFile kept("what was there before");
            require_refusal(command + kept.path() + " > /dev/full", 1, "standard output: ");
            REQUIRE(kept.text() == "what was there before");
            const std::string fresh = kept.path() + ".new";
            require_refusal(command + fresh + " > /dev/full", 1, "standard output: ");
            REQUIRE_FALSE(std::filesystem::exists(fresh));

            REQUIRE(run(command + kept.path()).exit_code == 0);
            REQUIRE(kept.text().find("what was there before") == std::string::npos);
        }
}

// A barrier that is missing may not matter as long as thread 0 runs first. The lines are those that ./lab check runs:
// all stages, which the programs verify, at awkward sizes, and nothing that is wrong on purpose.
TEST_CASE("its programs are right whatever the order of the threads (EMULATOR_SHUFFLE)", "[programs]") {
    const std::string chapter = programs().front().chapter, seed = std::to_string(test_seed());
    std::ifstream lines(BUILD_FOLDER "/" + chapter + "/check.txt");
    int runs = 0;
    for (std::string line; std::getline(lines, line); ++runs) {
        const std::string environment = line.starts_with("mpirun ") ? mpi_environment : "env ";
        const std::string command =
            environment + "EMULATOR_SHUFFLE=" + seed + " PATH=" + program(chapter, "") + ":$PATH " + line;
        const Outcome outcome = run(command);
        CAPTURE(command, outcome.out, outcome.err);
        REQUIRE(outcome.exit_code == 0);
    }
    REQUIRE(runs > 0);
}
#endif
