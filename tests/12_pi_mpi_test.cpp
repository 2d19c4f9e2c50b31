#include <iterator>
#include <sstream>

#include "12_pi/exact.h"
#include "mpi_testing.h"

namespace {

// pi_mpi with these arguments.
Outcome mpirun_pi(int ranks, const std::string& arguments) {
    return mpirun(ranks, program("12_pi", "pi_mpi") + " " + arguments);
}

// The same, but the ranks from `first` on have other arguments, and other variables in their environment. A shell tells
// the ranks apart: Open MPI 5.0 crashes when it is to start several programs.
Outcome mpirun_pi(int ranks, const std::string& arguments, int first, const std::string& other_arguments,
                  const std::string& other_variables = "") {
    const std::string pi_mpi = program("12_pi", "pi_mpi") + " ";
    return mpirun(ranks, "sh -c 'if [ $OMPI_COMM_WORLD_RANK -lt " + std::to_string(first) + " ]; then exec " + pi_mpi +
                             arguments + "; else exec env " + other_variables + " " + pi_mpi + other_arguments +
                             "; fi'");
}

// The numbers in the line that begins with `name`, below the line that begins with `header`.
std::vector<std::string> row(const std::string& output, const std::string& header, const std::string& name) {
    std::istringstream lines(output);
    bool below = false;
    for (std::string line; std::getline(lines, line);) {
        below = below || line.starts_with(header + " ");
        if (!below || !line.starts_with(name + " ")) continue;
        std::istringstream words(line);
        return {std::istream_iterator<std::string>(words), {}};
    }
    return {};
}

}  // namespace

TEST_CASE("some ranks compute pi, on cores or on GPUs", "[12_pi]") {
    if (!has_mpi()) return;
    const int ranks = GENERATE(1, 2, 3, 4);
    const std::string on = GENERATE("cores", "gpu");
    CAPTURE(ranks, on);
    const Outcome result = mpirun_pi(ranks, "--n 1000003 --on " + on);
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.err.find("error: ") == std::string::npos);  // mpirun may have something to say about the network
    REQUIRE(result.out.find("from 1,000,003 terms") != std::string::npos);

    for (int r = 1; r <= 4; ++r) {
        const bool expected = r <= ranks && (r != 3 || ranks == 3);
        const auto numbers = row(result.out, "ranks", std::to_string(r));
        CAPTURE(r);
        if (!expected) {
            REQUIRE(numbers.size() != 5);
            continue;
        }
        REQUIRE(numbers.size() == 5);  // ranks, ms, speed-up, efficiency, digits
        REQUIRE(std::stod(numbers[1]) > 0);
        REQUIRE(std::abs(std::stod(numbers[3]) / std::stod(numbers[2]) * r / 100 - 1) < 0.02);
        REQUIRE(std::stod(numbers[4]) > 12);
    }
    long terms = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        auto account = row(result.out, "rank", std::to_string(rank));
        REQUIRE(account.size() > 4);
        REQUIRE((account[2] == "GPU") == (on == "gpu"));
        std::string& own = account[account.size() - 2];
        std::erase(own, ',');
        const long least = 1'000'003 / ranks;
        REQUIRE((std::stol(own) == least || std::stol(own) == least + 1));
        terms += std::stol(own);
    }
    REQUIRE(terms == 1'000'003);
}

TEST_CASE("more ranks than terms", "[12_pi]") {
    if (!has_mpi()) return;
    const std::string n = GENERATE("1", "3");
    const std::string on = GENERATE("cores", "gpu");
    const Outcome result = mpirun_pi(4, "--ranks 4 --repeat 1 --n " + n + " --on " + on);
    CAPTURE(n, on, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    const auto account = row(result.out, "rank", "3");  // … terms, own ms
    REQUIRE(account.size() > 4);
    REQUIRE(account[account.size() - 2] == "0");
}

TEST_CASE("a rank that fails ends them all, with a message", "[12_pi]") {
    if (!has_mpi()) return;
    SECTION("it has no GPU, and is to compute on one") {
        const Outcome result =
            mpirun_pi(3, "--on gpu --n 1000", 2, "--on gpu --n 1000", "EMULATOR_DEVICES=0 CUDA_VISIBLE_DEVICES=");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 3);
        REQUIRE(result.err.find("error: rank 2 of 3: ") != std::string::npos);
        REQUIRE(result.err.find("cudaErrorNoDevice") != std::string::npos);
    }
    SECTION("its arguments are wrong, and only its") {
        const Outcome result = mpirun_pi(3, "--n 1000", 1, "--n 0");
        CAPTURE(result.out, result.err);
        require_one_error(result, "error: rank 1 of 3: --n 0");
    }
    SECTION("it sums another integral than the others") {
        const Outcome result = mpirun_pi(2, "--n 1000", 1, "--n 2000");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 1);
        REQUIRE(result.err.find("error: rank 0 of 2: the sum of 2 ranks is wrong: ") != std::string::npos);
    }
    SECTION("it cannot write the results") {
        const Outcome result = mpirun_pi(2, "--n 1000 --json /no/such/folder/x.json");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 2);
        REQUIRE(result.err.find("error: rank 0 of 2: --json: cannot write /no/such/folder/x.json") !=
                std::string::npos);
    }
}

TEST_CASE("pi_mpi refuses what makes no sense, and one rank says so", "[12_pi]") {
    if (!has_mpi()) return;
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^53", "2^52"},
        {"--ranks 1,3", "--ranks 3: mpirun -np has started 2"},
        {"--on moon", "moon"},
        {"--ranks 0", "--ranks 0"},
    }));
    const Outcome result = mpirun_pi(2, arguments);
    CAPTURE(arguments, result.out, result.err);
    require_one_error(result, named);
}

TEST_CASE("pi_mpi's other options", "[12_pi]") {
    if (!has_mpi()) return;
    SECTION("--help is printed once") {
        const Outcome result = mpirun_pi(3, "--help");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(count(result.out, "mpirun -np 4 pi_mpi") == 1);
        for (const char* word : {"--n", "--ranks", "--on", "--repeat", "--json", "Exit code"})
            REQUIRE(result.out.find(word) != std::string::npos);
    }
    SECTION("--json writes what the table shows") {
        const TemporaryFile json;
        const Outcome result = mpirun_pi(3, "--n 1000 --ranks 3,1 --json " + json.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        const std::string written = packed_json(json.text());
        for (const char* word : {R"("chapter":"12_pi")", R"("header":["ranks","ms",)", R"(["3",)", R"(["1",)"})
            REQUIRE(written.find(word) != std::string::npos);
        for (const char* word : {"nan", "inf", "null"}) REQUIRE(json.text().find(word) == std::string::npos);
    }
    SECTION("without mpirun it is one rank") {
        const Outcome result = run(mpi_environment + program("12_pi", "pi_mpi") + " --n 1000");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(row(result.out, "ranks", "1").size() == 5);
    }
}
