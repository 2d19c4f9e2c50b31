// The same integral by several processes, on one machine or on many: mpirun -np 4 pi_mpi. Each rank sums its part, on a
// GPU if its machine has one and else on its share of the cores. MPI_Reduce adds the parts, or NCCL does, on the GPUs.
// First with one rank, then with more, as a table.

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/timer.h"
#include "common/verify.h"
#include "exact.h"
#include "harness/options.h"
#include "harness/output.h"
#include "harness/program.h"
#include "harness/ranks.h"
#include "harness/report.h"
#include "harness/table.h"
#include "harness/text.h"

namespace {

constexpr std::int64_t usual_n = 100'000'000, n_for_gpus = 100'000'000'000;

/// What a rank computes on: a GPU, or some of the cores of its machine.
class Processor {
  public:
    /// on: "gpu", "cores", or "auto": a GPU where there is one. neighbours: how many ranks share the machine,
    /// local_rank: which of them this is. Throws cuda_error.
    Processor(const std::string& on, int local_rank, int neighbours)
        : threads_(static_cast<unsigned>(std::max(omp_get_num_procs() / neighbours, 1))) {
        int devices = 0;
        if (on == "gpu") CUDA_CHECK(cudaGetDeviceCount(&devices));
        if (on == "auto" && (cudaGetDeviceCount(&devices) != cudaSuccess || on_emulator())) devices = 0;
        if (devices == 0) return;
        is_gpu_ = true;
        device_ = local_rank % devices;
        CUDA_CHECK(cudaSetDevice(device_));
        workspace_ = pi::make_workspace<double>();
        result_ = DeviceBuffer<double>(1);
    }

    bool is_gpu() const { return is_gpu_; }

    std::string name() const {
        if (!is_gpu_) return threads_ == 1 ? "1 core" : std::to_string(threads_) + " cores";
        cudaDeviceProp properties{};
        CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
        return "GPU " + std::to_string(device_) + ": " + properties.name;
    }

    /// Waits for the terms' share of the sum, and returns it; after join() for the sum of all ranks. Throws cuda_error.
    double sum(const pi::Terms& terms) {
        if (!is_gpu_) return pi::openmp<double>(terms, threads_);
        pi::polynomials(terms, result_.data(), workspace_.data());
#ifdef WITH_NCCL
        double* sum = result_.data();
        if (comm_) NCCL_CHECK(ncclAllReduce(sum, sum, 1, ncclDouble, ncclSum, comm_.get(), nullptr));
#endif
        return result_.to_host()[0];
    }

    /// From now on NCCL adds the sums of the group, on the GPUs. Throws usage_error.
    void join([[maybe_unused]] MPI_Comm group) {
        if (!is_gpu_) throw usage_error("--by nccl adds what is on GPUs: --on gpu");
#ifdef WITH_NCCL
        comm_.reset();
        comm_.reset(nccl_of(group));
        sum({1, 0, 0});  // The first one connects the devices.
#else
        throw usage_error("--by nccl: this program was built without NCCL");
#endif
    }

    double roundings(const pi::Terms& terms) const {
        return is_gpu_ ? pi::polynomials_roundings(terms, 1) : pi::openmp_roundings(terms, threads_);
    }

  private:
    unsigned threads_;  // of the cores
    bool is_gpu_ = false;
    int device_ = 0;
    DeviceBuffer<pi::Workspace<double>> workspace_;
    DeviceBuffer<double> result_;
#ifdef WITH_NCCL
    struct Destroy {
        void operator()(ncclComm_t comm) { ncclCommDestroy(comm); }
    };
    std::unique_ptr<std::remove_pointer_t<ncclComm_t>, Destroy> comm_;
#endif
};

/// What a rank reports of its work. It is sent as it lies in memory, since all ranks run the same program.
struct Account {
    char node[64], processor[128];
    pi::Terms terms;
    double seconds;
};

struct Arguments {
    std::int64_t n = 0;  ///< 0: what suits the processors
    std::string on = "auto", by = "mpi";
    std::vector<int> ranks;  ///< the numbers of ranks to compute with, one after another
    int samples = 3;
    std::optional<std::string> json;
};

Arguments read_arguments(int argc, char** argv, int world) {
    Arguments arguments;
    std::string n, repeat = std::to_string(arguments.samples);
    std::vector<std::string> ranks, on{arguments.on}, by{arguments.by};
    CommandLine line("pi_mpi", "The area below 4 / (1 + x²) by several processes: mpirun -np 4 pi_mpi");
    line.option("--n", n,
                "How many terms, e.g. 1000, 1e6 or 2^40 (default: " + std::to_string(usual_n) + ", on GPUs " +
                    std::to_string(n_for_gpus) + ")");
    line.list("--ranks", ranks, "With how many ranks, e.g. 1,2,3 (default: 1, 2, 4 … and all that mpirun started)");
    line.list("--on", on, "auto, gpu or cores: where each rank computes (default: auto, on a GPU if there is one)",
              {"auto", "gpu", "cores"});
    line.list("--by", by, "mpi or nccl: what adds the parts of the ranks (default: mpi)", {"mpi", "nccl"});
    line.option("--repeat", repeat, "Samples for each time; their median is shown (default: " + repeat + ")");
    line.option("--json", arguments.json, "Write the results to this file");
    line.footer(exit_codes);
    line.parse(argc, argv);

    if (arguments.json && rank_in(MPI_COMM_WORLD) == 0) require_writable("--json", *arguments.json);
    if (on.size() != 1) throw usage_error("--on takes one of auto, gpu and cores");
    if (by.size() != 1) throw usage_error("--by takes one of mpi and nccl");
    arguments.on = on[0];
    arguments.by = by[0];
    if (!n.empty()) arguments.n = static_cast<std::int64_t>(parse_count("--n", n));
    if (arguments.n > pi::max_n) throw usage_error("--n " + n + ": at most 2^52 terms, beyond a double has no i + ½");
    arguments.samples = static_cast<int>(std::min<std::size_t>(parse_count("--repeat", repeat), 1000));
    arguments.ranks = numbers_of_ranks(ranks, world);
    return arguments;
}

/// The common result of a group of ranks. It is valid in rank 0.
struct Outcome {
    double value, seconds;
};

/// Every rank of the group computes its part, several times. account: what this rank did. Throws wrong_result.
Outcome compute(MPI_Comm group, const Arguments& arguments, Processor& processor, Account& account) {
    account.terms = pi::part_of(pi::all_terms(arguments.n), rank_in(group), size_of(group));
    const bool by_nccl = arguments.by == "nccl";
    if (by_nccl) processor.join(group);
    double sum = 0;
    std::vector<double> seconds, own_seconds;
    for (int sample = 0; sample < arguments.samples; ++sample) {
        MPI_Barrier(group);
        const double start = MPI_Wtime();
        const double part = processor.sum(account.terms);
        own_seconds.push_back(MPI_Wtime() - start);
        if (by_nccl)
            sum = part;
        else
            MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, group);
        seconds.push_back(MPI_Wtime() - start);
    }
    account.seconds = median(own_seconds);

    const double own_roundings = processor.roundings(account.terms);
    double roundings = 0;
    MPI_Reduce(&own_roundings, &roundings, 1, MPI_DOUBLE, MPI_MAX, 0, group);
    if (rank_in(group) == 0) {
        const auto exact = static_cast<double>(pi::exact(pi::all_terms(arguments.n)));
        require_within("the sum of " + std::to_string(size_of(group)) + " ranks", sum, exact,
                       pi::error_bound<double>(exact, roundings + size_of(group)));
    }
    return {sum, median(seconds)};
}

/// Rank 0 prints the accounts of all ranks.
void print_accounts(MPI_Comm group, const Account& own) {
    constexpr int tag = 0;
    if (rank_in(group) != 0) {
        MPI_Send(&own, sizeof own, MPI_BYTE, 0, tag, group);
        return;
    }
    std::printf("\n%-5s%-20s%-29s%16s%10s\n", "rank", "node", "computes on", "terms", "own ms");
    for (int rank = 0; rank < size_of(group); ++rank) {
        Account account = own;
        if (rank != 0) MPI_Recv(&account, sizeof account, MPI_BYTE, rank, tag, group, MPI_STATUS_IGNORE);
        const auto terms = static_cast<std::size_t>(account.terms.last - account.terms.first);
        std::printf("%-5d%s%s%16s%10.3f\n", rank, left(shortened(account.node, 19), 20).c_str(),
                    left(shortened(account.processor, 28), 29).c_str(), with_separators(terms).c_str(),
                    1e3 * account.seconds);
    }
}

Account account_of(const Processor& processor) {
    Account account{};
    gethostname(account.node, sizeof account.node - 1);
    std::strncpy(account.processor, processor.name().c_str(), sizeof account.processor - 1);
    return account;
}

void run(Arguments arguments) {
    MPI_Comm node = ranks_on_this_node();
    Processor processor(arguments.on, rank_in(node), size_of(node));
    MPI_Comm_free(&node);
    const int is_gpu = processor.is_gpu();
    int all_gpus = 0;
    MPI_Allreduce(&is_gpu, &all_gpus, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (arguments.n == 0) arguments.n = all_gpus ? n_for_gpus : usual_n;
    processor.sum({arguments.n, 0, std::min<std::int64_t>(arguments.n, 1000)});  // warm-up

    const int rank = rank_in(MPI_COMM_WORLD);
    std::optional<Table> table;
    if (rank == 0)
        table.emplace("12_pi",
                      "π from " + with_separators(static_cast<std::size_t>(arguments.n)) +
                          " terms, on several ranks: time and efficiency",
                      "ranks", std::vector<std::string>{"ms", "speed-up", "efficiency %", "digits"});
    double first_seconds = 0, first_ranks = 0;  // of the first row, with which the others are compared
    for (const int ranks : arguments.ranks) {
        wait_for_all();
        MPI_Comm group = group_of_first(ranks);
        if (group == MPI_COMM_NULL) continue;
        Account account = account_of(processor);
        const auto [value, seconds] = compute(group, arguments, processor, account);
        if (rank == 0) {
            if (first_ranks == 0) first_seconds = seconds, first_ranks = ranks;
            const long double exact = pi::exact(pi::all_terms(arguments.n));
            const auto error = static_cast<double>(std::abs(value / exact - 1));
            const double speed_up = first_seconds / seconds, efficiency = speed_up * first_ranks / ranks;
            const double digits = -std::log10(std::max(error, 0x1p-54));
            table->add(std::to_string(ranks), {1e3 * seconds, speed_up, 100 * efficiency, digits});
        }
        if (ranks == arguments.ranks.back()) print_accounts(group, account);
        MPI_Comm_free(&group);
    }
    wait_for_all();
    if (rank == 0) table->write(arguments.json.value_or(""));
}

}  // namespace

int main(int argc, char** argv) {
    return run_ranks<Arguments>(argc, argv, read_arguments, run);
}
