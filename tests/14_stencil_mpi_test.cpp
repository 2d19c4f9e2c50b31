#include <algorithm>
#include <sstream>

#include "common/capability.h"
#include "mpi_testing.h"

namespace {

Outcome mpirun_stencil(int ranks, const std::string& arguments) {
    return mpirun(ranks, program("14_stencil", "stencil_mpi") + " " + arguments);
}

/// The first words of the lines below the heading of the table.
std::vector<std::string> rows(const std::string& output) {
    std::istringstream lines(output);
    std::vector<std::string> names;
    bool below = false;
    for (std::string line; std::getline(lines, line);) {
        if (below && !line.empty()) names.push_back(line.substr(0, line.find(' ')));
        below = below || line.starts_with("ranks ");
    }
    return names;
}

}  // namespace

// The program compares each plate with the CPU's, bit by bit, and with the exact temperatures.
TEST_CASE("ranks share a plate in strips", "[14_stencil]") {
    if (!has_mpi()) return;
    // Strips of one row, of one row more or less than the neighbours', without a point that changes.
    const auto [ranks, arguments] = GENERATE(table<int, std::string>({{1, "--size 67x33 --steps 9"},
                                                                      {4, "--size 67x33 --steps 9 --ranks 2,3,4"},
                                                                      {4, "--size 33x5 --steps 8 --ranks 4,3"},
                                                                      {3, "--size 40x3 --steps 7 --ranks 3"},
                                                                      {3, "--size 1x7 --steps 2 --ranks 3"},
                                                                      {2, "--size 2x2 --steps 1"}}));
    const Outcome result = mpirun_stencil(ranks, "--repeat 1 " + arguments);
    CAPTURE(ranks, arguments, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.err.find("error: ") == std::string::npos);  // mpirun may have something to say about the network
    const std::size_t listed = arguments.find("--ranks");
    const auto expected = listed == std::string::npos ? ranks : 1 + std::count(arguments.begin(), arguments.end(), ',');
    REQUIRE(rows(result.out).size() == static_cast<std::size_t>(expected));
}

TEST_CASE("stencil_mpi refuses what makes no sense, and one rank says so", "[14_stencil]") {
    if (!has_mpi()) return;
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--size 67x1", "2 ranks need a row each"},
        {"--size 65536x65536", "2^31 - 1 points"},
        {"--ranks 3", "--ranks 3: mpirun -np has started 2"},
        {"--steps 0", "--steps 0"},
    }));
    const Outcome result = mpirun_stencil(2, arguments);
    CAPTURE(arguments, result.out, result.err);
    require_one_error(result, named);
}

TEST_CASE("NCCL takes one rank on a device", "[14_stencil]") {
    if (!has_mpi() || !on_emulator()) return;
    const Outcome one = mpirun_stencil(1, "--by nccl --size 20x9 --repeat 1");
    CAPTURE(one.out, one.err);
    REQUIRE(one.exit_code == 0);
    const Outcome two = mpirun_stencil(2, "--by nccl --size 20x9 --repeat 1");
    CAPTURE(two.out, two.err);
    REQUIRE(two.exit_code == 2);
    REQUIRE(two.err.find("NCCL: the emulator joins the ranks of one process") != std::string::npos);
}

TEST_CASE("a rank without a device ends them all", "[14_stencil]") {
    if (!has_mpi()) return;
    const std::string stencil_mpi = program("14_stencil", "stencil_mpi") + " --size 20x9";
    const Outcome result = mpirun(2,
                                  "sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then EMULATOR_DEVICES=0 "
                                  "CUDA_VISIBLE_DEVICES= exec " +
                                      stencil_mpi + "; else exec " + stencil_mpi + "; fi'");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 3);
    REQUIRE(result.err.find("error: rank 1 of 2: ") != std::string::npos);
    REQUIRE(result.err.find("cudaErrorNoDevice") != std::string::npos);
}
