// The plate in strips, on several processes, on one machine or on many: mpirun -np 4 stencil_mpi. Each rank has a strip
// on its GPU. In each step it computes the rows at its cuts first, and sends them to its neighbours, by MPI or by NCCL,
// while the GPU computes the rest. First with one rank, then with more, as a table.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/timer.h"
#include "common/verify.h"
#include "harness/options.h"
#include "harness/output.h"
#include "harness/ranks.h"
#include "harness/table.h"
#include "harness/text.h"
#include "sizes.h"
#include "strip.h"
#include "wave.h"

namespace {

using stencil::Plate;

constexpr stencil::Weights weights{0.5f, 0.125f};
constexpr int usual_side = 8192, side_on_emulator = 128;

/// A row in pinned memory of the host, from and to which the device copies while the host goes on.
struct Free {
    void operator()(float* row) const { cudaFreeHost(row); }
};
using PinnedRow = std::unique_ptr<float, Free>;

PinnedRow pinned_row(int width) {
    float* row = nullptr;
    CUDA_CHECK(cudaMallocHost(&row, width * sizeof(float)));
    return PinnedRow(row);
}

/// How ranks send rows to each other.
class Exchange {
  public:
    virtual ~Exchange() = default;
    /// Sends the strip's rows at its cuts after step `number`, and receives its halos, behind what is queued on the
    /// stream at_cuts.
    virtual void run(stencil::Strip& strip, int number) = 0;
};

/// By way of the host.
class ByMpi : public Exchange {
  public:
    ByMpi(MPI_Comm group, const stencil::Strip& strip) : group_(group) {
        for (std::size_t row = 0; row < 2 * strip.cuts().size(); ++row) rows_.push_back(pinned_row(strip.width()));
    }

    void run(stencil::Strip& strip, int number) override {
        const std::size_t cuts = strip.cuts().size();
        for (std::size_t c = 0; c < cuts; ++c)
            CUDA_CHECK(cudaMemcpyAsync(rows_[c].get(), strip.row(number, strip.cuts()[c].row), strip.bytes(1),
                                       cudaMemcpyDefault, strip.at_cuts()));
        CUDA_CHECK(cudaStreamSynchronize(strip.at_cuts()));  // The rest of the plate goes on.
        std::vector<MPI_Request> requests(2 * cuts);
        for (std::size_t c = 0; c < cuts; ++c) {
            constexpr int tag = 0;
            const int neighbour = strip.cuts()[c].neighbour;
            MPI_Irecv(rows_[cuts + c].get(), strip.width(), MPI_FLOAT, neighbour, tag, group_, &requests[c]);
            MPI_Isend(rows_[c].get(), strip.width(), MPI_FLOAT, neighbour, tag, group_, &requests[cuts + c]);
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        for (std::size_t c = 0; c < cuts; ++c)
            CUDA_CHECK(cudaMemcpyAsync(strip.row(number, strip.cuts()[c].halo), rows_[cuts + c].get(), strip.bytes(1),
                                       cudaMemcpyDefault, strip.at_cuts()));
    }

  private:
    MPI_Comm group_;
    std::vector<PinnedRow> rows_;  // those that are sent, and those that are received
};

#ifdef WITH_NCCL
/// From device to device, without the host.
class ByNccl : public Exchange {
  public:
    explicit ByNccl(MPI_Comm group) : comm_(nccl_of(group)) {}
    ByNccl(const ByNccl&) = delete;
    ByNccl& operator=(const ByNccl&) = delete;
    ~ByNccl() override { ncclCommDestroy(comm_); }

    void run(stencil::Strip& strip, int number) override {
        NCCL_CHECK(ncclGroupStart());
        for (const auto& [neighbour, row, halo] : strip.cuts()) {
            NCCL_CHECK(ncclSend(strip.row(number, row), strip.width(), ncclFloat, neighbour, comm_, strip.at_cuts()));
            NCCL_CHECK(ncclRecv(strip.row(number, halo), strip.width(), ncclFloat, neighbour, comm_, strip.at_cuts()));
        }
        NCCL_CHECK(ncclGroupEnd());
    }

  private:
    ncclComm_t comm_;
};
#endif

std::unique_ptr<Exchange> make_exchange(const std::string& by, MPI_Comm group, const stencil::Strip& strip) {
#ifdef WITH_NCCL
    if (by == "nccl") return std::make_unique<ByNccl>(group);
#endif
    if (by != "mpi") throw usage_error("--by " + by + ": this program was built without NCCL");
    return std::make_unique<ByMpi>(group, strip);
}

struct Arguments {
    std::vector<int> size;  ///< width and height; empty: what suits the device
    int steps = 64, samples = 3;
    std::string by = "mpi";
    std::vector<int> ranks;  ///< the numbers of ranks to compute with, one after another
    std::optional<std::string> json;
};

Arguments read_arguments(int argc, char** argv, int world) {
    Arguments arguments;
    std::string size, steps = std::to_string(arguments.steps), repeat = std::to_string(arguments.samples);
    std::vector<std::string> ranks, by{arguments.by};
    CommandLine line("stencil_mpi", "Heat in a plate that several processes share: mpirun -np 4 stencil_mpi");
    line.option("--size", size,
                "How many points, WIDTHxHEIGHT (default: " + std::to_string(usual_side) + " a side, on the emulator " +
                    std::to_string(side_on_emulator) + ")");
    line.option("--steps", steps, "How many steps of time (default: " + steps + ")");
    line.list("--ranks", ranks, "With how many ranks, e.g. 1,2,3 (default: 1, 2, 4 … and all that mpirun started)");
    line.list("--by", by, "mpi or nccl: how rows are sent (default: mpi, by way of the host)", {"mpi", "nccl"});
    line.option("--repeat", repeat, "Samples for each time; their median is shown (default: " + repeat + ")");
    line.option("--json", arguments.json, "Write the results to this file");
    line.footer(exit_codes);
    line.parse(argc, argv);

    if (arguments.json && rank_in(MPI_COMM_WORLD) == 0) require_writable("--json", *arguments.json);
    if (by.size() != 1) throw usage_error("--by takes one of mpi and nccl");
    arguments.by = by[0];
    if (!size.empty()) arguments.size = sizes::parse_size(size, 2, stencil::max_side);
    arguments.steps = sizes::parse_at_most("--steps", steps, 1'000'000);
    arguments.samples = sizes::parse_at_most("--repeat", repeat, 1000);
    arguments.ranks = numbers_of_ranks(ranks, world);
    const int most = *std::ranges::max_element(arguments.ranks);
    if (!size.empty() && 1.0 * arguments.size[0] * arguments.size[1] > std::numeric_limits<int>::max())
        throw usage_error("--size " + size + ": MPI counts at most 2^31 - 1 points");
    if (!size.empty() && most > arguments.size[1])
        throw usage_error("--size " + size + ": " + std::to_string(most) + " ranks need a row each");
    return arguments;
}

/// All ranks of the group take the steps, several times, and rank 0 gathers the plate. Returns the seconds, which are
/// valid there. Throws wrong_result.
double compute(MPI_Comm group, const Plate& plate, const Arguments& arguments, const std::vector<float>& start,
               const std::vector<float>& expected) {
    stencil::Strip strip(plate, rank_in(group), size_of(group));
    const std::unique_ptr<Exchange> exchange = make_exchange(arguments.by, group, strip);
    std::vector<double> seconds;
    std::vector<float> own(std::size_t(plate.width) * strip.height());
    for (int sample = 0; sample <= arguments.samples; ++sample) {  // one more, to warm up
        strip.bring(start.data(), nullptr);
        CUDA_CHECK(cudaDeviceSynchronize());
        MPI_Barrier(group);
        const double begin = MPI_Wtime();
        for (int number = 1; number <= plate.steps; ++number) {
            strip.step(number, plate.weights);
            exchange->run(strip, number);
        }
        CUDA_CHECK(cudaDeviceSynchronize());
        MPI_Barrier(group);
        if (sample > 0) seconds.push_back(MPI_Wtime() - begin);
        strip.take(own.data(), plate.steps);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    const int own_place = strip.first() * plate.width, own_count = static_cast<int>(own.size());
    std::vector<int> counts(size_of(group)), places(size_of(group));
    MPI_Gather(&own_count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, group);
    MPI_Gather(&own_place, 1, MPI_INT, places.data(), 1, MPI_INT, 0, group);
    std::vector<float> all(rank_in(group) == 0 ? start.size() : 0);
    MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_FLOAT, all.data(), counts.data(), places.data(),
                MPI_FLOAT, 0, group);
    if (rank_in(group) == 0) {
        const std::string who = "the plate of " + std::to_string(size_of(group)) + " ranks";
        require_same<float>(who, all, expected);
        wave::Wave(std::vector{plate.width, plate.height}, weights.centre, weights.neighbour)
            .largest_error(who, all, plate.steps);
    }
    return median(seconds);
}

/// Each rank of a machine takes a device of its own, as long as there are some. Throws cuda_error.
void choose_device() {
    MPI_Comm node = ranks_on_this_node();
    int devices = 0;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    CUDA_CHECK(cudaSetDevice(rank_in(node) % devices));
    MPI_Comm_free(&node);
}

void run(const Arguments& arguments) {
    choose_device();
    const int side = on_emulator() ? side_on_emulator : usual_side;
    const Plate plate{arguments.size.empty() ? side : arguments.size[0],
                      arguments.size.empty() ? side : arguments.size[1], arguments.steps, weights};
    const std::vector<float> start =
        wave::Wave(std::vector{plate.width, plate.height}, weights.centre, weights.neighbour).at_start();
    std::vector<float> expected(start.size()), scratch(start.size());
    const bool tells = rank_in(MPI_COMM_WORLD) == 0;
    std::optional<Table> table;
    if (tells) {
        std::printf("%s\n", device_line().c_str());
        stencil::cpu_threads(plate, start, expected, scratch);
        table.emplace("14_stencil", sizes::title({plate.width, plate.height}, plate.steps) + ", on several ranks",
                      "ranks", std::vector<std::string>{"ms a step", "speed-up", "efficiency %"});
    }
    double first_seconds = 0, first_ranks = 0;  // of the first row, with which the others are compared
    for (const int ranks : arguments.ranks) {
        wait_for_all();
        MPI_Comm group = group_of_first(ranks);
        if (group == MPI_COMM_NULL) continue;
        const double seconds = compute(group, plate, arguments, start, expected);
        if (first_ranks == 0) first_seconds = seconds, first_ranks = ranks;
        const double speed_up = first_seconds / seconds;
        if (tells)
            table->add(std::to_string(ranks),
                       {1e3 * seconds / plate.steps, speed_up, 100 * speed_up * first_ranks / ranks});
        MPI_Comm_free(&group);
    }
    wait_for_all();
    if (tells) table->write(arguments.json.value_or(""));
}

}  // namespace

int main(int argc, char** argv) {
    return run_ranks<Arguments>(argc, argv, read_arguments, run);
}
