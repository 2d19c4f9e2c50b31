// π by random points on several processes: mpirun -np 4 points_mpi. A rank takes a piece of the points and counts its
// hits on a GPU, and MPI_Reduce adds them. The sum is the same number of hits for any number of ranks, so rank 0
// compares it with what its own cores count.

#include <cstdio>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/device_buffer.h"
#include "harness/options.h"
#include "harness/ranks.h"
#include "harness/text.h"
#include "points.h"

namespace {

struct Arguments {
    points::Points points{1, 0, 1'000'000};
};

Arguments read_arguments(int argc, char** argv, int) {
    Arguments arguments;
    std::string n = std::to_string(arguments.points.last), seed = std::to_string(arguments.points.seed);
    CommandLine line("points_mpi", "π by random points, by several processes: mpirun -np 4 points_mpi");
    line.option("--n", n, "How many points, e.g. 1000, 1e6 or 2^30 (default: " + n + ")");
    line.option("--seed", seed, "Of the random numbers, from 1 on (default: " + seed + ")");
    line.footer(exit_codes);
    line.parse(argc, argv);
    arguments.points = {parse_count("--seed", seed), 0, static_cast<std::int64_t>(parse_count("--n", n))};
    if (arguments.points.last > points::max_n) throw usage_error("--n " + n + ": at most 2^38 points");
    return arguments;
}

/// The ranks of a machine take its GPUs in turn.
void choose_gpu() {
    MPI_Comm node = ranks_on_this_node();
    int devices = 0;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    CUDA_CHECK(cudaSetDevice(rank_in(node) % devices));
    MPI_Comm_free(&node);
}

void run(const Arguments& arguments) {
    choose_gpu();
    const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
    const points::Points all = arguments.points, own = points::part_of(all, rank, ranks);

    DeviceBuffer<unsigned long long> d_hits(1);
    points::words(own, d_hits.data());
    const unsigned long long hits = d_hits.to_host()[0];
    unsigned long long sum = 0;
    MPI_Reduce(&hits, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);

    const long long account[] = {own.first, own.last, static_cast<long long>(hits)};
    std::vector<long long> accounts(3 * ranks);
    MPI_Gather(account, 3, MPI_LONG_LONG, accounts.data(), 3, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    if (rank != 0) return;
    std::printf("%-8s%20s%20s%20s\n", "rank", "points from", "to before", "hits");
    for (int r = 0; r < ranks; ++r)
        std::printf("%-8d%20lld%20lld%20lld\n", r, accounts[3 * r], accounts[3 * r + 1], accounts[3 * r + 2]);
    const auto expected = static_cast<unsigned long long>(points::cpu_threads(all));
    if (sum != expected)
        throw wrong_result("the sum of " + std::to_string(ranks) + " ranks is wrong: expected " +
                           std::to_string(expected) + " hits, got " + std::to_string(sum));
    std::printf("\n%llu hits, as many as one process counts: π is about %.7f\n", sum,
                points::estimate(static_cast<std::int64_t>(sum), all.last).pi);
}

}  // namespace

int main(int argc, char** argv) {
    return run_ranks<Arguments>(argc, argv, read_arguments, run);
}
