// The plate in strips, on several processes, on one machine or on many: mpirun -np 4 stencil_mpi. Each rank has a strip
// on its GPU. In each step it computes the rows at its cuts first, and sends them to its neighbours by MPI while the
// GPU computes the rest. First with one rank, then with more, as a table.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/device_buffer.h"
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

/// The first row of a rank's strip, of which all have as many rows, or one more.
int first_row(int height, int rank, int ranks) {
    return static_cast<int>(static_cast<long>(height) * rank / ranks);
}

/// A rank's rows of the plate on its device, and the neighbours' nearest rows as halos.
class Strip {
  public:
    Strip(MPI_Comm group, const Plate& plate, const std::vector<float>& whole)
        : group_(group),
          first_(first_row(plate.height, rank_in(group), size_of(group))),
          own_(first_row(plate.height, rank_in(group) + 1, size_of(group)) - first_),
          begin_(rank_in(group) > 0 ? 1 : 0),
          strip_{plate.width, begin_ + own_ + (rank_in(group) + 1 < size_of(group) ? 1 : 0), 1, plate.weights} {
        for (auto& buffer : buffers_)
            buffer = DeviceBuffer<float>::from_host(
                std::vector<float>(whole.begin() + std::ptrdiff_t(first_ - begin_) * plate.width,
                                   whole.begin() + std::ptrdiff_t(first_ - begin_ + strip_.height) * plate.width));
        if (begin_ == 1) cuts_.push_back({rank_in(group) - 1, 1, 0, pinned_row(plate.width), pinned_row(plate.width)});
        if (strip_.height > begin_ + own_)
            cuts_.push_back({rank_in(group) + 1, begin_ + own_ - 1, begin_ + own_, pinned_row(plate.width),
                             pinned_row(plate.width)});
        // cudaMemcpy() from pageable memory may return before the last bytes have arrived, and non-blocking streams do
        // not wait for the default stream.
        CUDA_CHECK(cudaDeviceSynchronize());
        stencil::make_streams(at_cuts_, inside_);
        CUDA_CHECK(cudaEventCreateWithFlags(&inside_done_, cudaEventDisableTiming));
    }
    Strip(const Strip&) = delete;
    Strip& operator=(const Strip&) = delete;
    ~Strip() {
        for (cudaStream_t stream : {at_cuts_, inside_}) cudaStreamDestroy(stream);
        cudaEventDestroy(inside_done_);
    }

    /// Takes steps, and waits for them.
    void run(int steps) {
        for (int step = 0; step < steps; ++step) take_step();
        CUDA_CHECK(cudaStreamSynchronize(at_cuts_));
        CUDA_CHECK(cudaStreamSynchronize(inside_));
    }

    /// The own rows as they are now.
    std::vector<float> to_host() const {
        const std::vector<float> rows = buffers_[now_].to_host();
        return {rows.begin() + std::ptrdiff_t(begin_) * strip_.width,
                rows.begin() + std::ptrdiff_t(begin_ + own_) * strip_.width};
    }

  private:
    /// Where the strip meets a neighbour's.
    struct Cut {
        int neighbour, row, halo;  // row: the own one, that the neighbour needs
        PinnedRow sent, received;
    };

    float* row(int buffer, int y) { return buffers_[buffer].data() + std::size_t(y) * strip_.width; }

    void take_step() {
        const int in = now_, out = 1 - now_;
        const std::size_t bytes = sizeof(float) * strip_.width;
        CUDA_CHECK(cudaStreamWaitEvent(at_cuts_, inside_done_, 0));  // of the step before
        int begin = begin_, end = begin_ + own_;                     // of the rest
        for (Cut& cut : cuts_) {
            step(cut.row, cut.row + 1, in, out, at_cuts_);
            CUDA_CHECK(cudaMemcpyAsync(cut.sent.get(), row(out, cut.row), bytes, cudaMemcpyDefault, at_cuts_));
            (cut.halo < cut.row ? begin : end) += cut.halo < cut.row ? 1 : -1;
        }
        step(begin, end, in, out, inside_);
        CUDA_CHECK(cudaEventRecord(inside_done_, inside_));

        CUDA_CHECK(cudaStreamSynchronize(at_cuts_));  // before the next step's rest, too; this one's goes on
        std::vector<MPI_Request> requests;
        for (Cut& cut : cuts_) {
            constexpr int tag = 0;
            MPI_Irecv(cut.received.get(), strip_.width, MPI_FLOAT, cut.neighbour, tag, group_,
                      &requests.emplace_back());
            MPI_Isend(cut.sent.get(), strip_.width, MPI_FLOAT, cut.neighbour, tag, group_, &requests.emplace_back());
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        for (Cut& cut : cuts_)
            CUDA_CHECK(cudaMemcpyAsync(row(out, cut.halo), cut.received.get(), bytes, cudaMemcpyDefault, at_cuts_));
        now_ = out;
    }

    void step(int begin, int end, int in, int out, cudaStream_t stream) {
        stencil::step_strip(strip_, begin, end, row(in, 0), row(out, 0), stream);
    }

    MPI_Comm group_;
    int first_, own_, begin_;  // own rows: how many, and the first one here, behind a halo
    Plate strip_;              // with its halos
    DeviceBuffer<float> buffers_[2];
    int now_ = 0;
    std::vector<Cut> cuts_;
    cudaStream_t at_cuts_ = nullptr, inside_ = nullptr;
    cudaEvent_t inside_done_ = nullptr;
};

struct Arguments {
    std::vector<int> size;  ///< width and height; empty: what suits the device
    int steps = 64, samples = 3;
    std::vector<int> ranks;  ///< the numbers of ranks to compute with, one after another
    std::optional<std::string> json;
};

Arguments read_arguments(int argc, char** argv, int world) {
    Arguments arguments;
    std::string size, steps = std::to_string(arguments.steps), repeat = std::to_string(arguments.samples);
    std::vector<std::string> ranks;
    CommandLine line("stencil_mpi", "Heat in a plate that several processes share: mpirun -np 4 stencil_mpi");
    line.option("--size", size,
                "How many points, WIDTHxHEIGHT (default: " + std::to_string(usual_side) + " a side, on the emulator " +
                    std::to_string(side_on_emulator) + ")");
    line.option("--steps", steps, "How many steps of time (default: " + steps + ")");
    line.list("--ranks", ranks, "With how many ranks, e.g. 1,2,3 (default: 1, 2, 4 … and all that mpirun started)");
    line.option("--repeat", repeat, "Samples for each time; their median is shown (default: " + repeat + ")");
    line.option("--json", arguments.json, "Write the results to this file");
    line.footer(exit_codes);
    line.parse(argc, argv);

    if (arguments.json && rank_in(MPI_COMM_WORLD) == 0) require_writable("--json", *arguments.json);
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
double compute(MPI_Comm group, const Plate& plate, int samples, const std::vector<float>& start,
               const std::vector<float>& expected) {
    std::vector<double> seconds;
    std::vector<float> own;
    for (int sample = 0; sample <= samples; ++sample) {  // one more, to warm up
        Strip strip(group, plate, start);
        MPI_Barrier(group);
        const double begin = MPI_Wtime();
        strip.run(plate.steps);
        MPI_Barrier(group);
        if (sample > 0) seconds.push_back(MPI_Wtime() - begin);
        own = strip.to_host();
    }
    std::vector<int> counts, places;
    for (int rank = 0; rank < size_of(group); ++rank) {
        const int first = first_row(plate.height, rank, size_of(group));
        places.push_back(first * plate.width);
        counts.push_back((first_row(plate.height, rank + 1, size_of(group)) - first) * plate.width);
    }
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
        const double seconds = compute(group, plate, arguments.samples, start, expected);
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
