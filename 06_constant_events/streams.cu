// Brings data to the device in pieces, works on them and brings them back, in 1, 2, 4 and 8 streams. Work in one stream
// is done in order; copies and kernels of different streams can overlap, if the host's memory is pinned.

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/timer.h"
#include "event.h"
#include "harness/command_line.h"
#include "harness/program.h"
#include "harness/table.h"
#include "timeline.h"

namespace {

constexpr unsigned pieces = 8, block_size = 256;
const std::vector<std::string> stream_counts{"1", "2", "4", "8"};

/// x becomes factor · x + summand, modulo 2^32.
struct Step {
    unsigned factor, summand;
    __host__ __device__ unsigned operator()(unsigned x) const { return factor * x + summand; }
};

__global__ void advance(unsigned* values, std::size_t n, Step step, unsigned steps) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = values[i];
    for (unsigned s = 0; s < steps; ++s) x = step(x);
    values[i] = x;
}

/// Many steps in one, with which the host finds out what the device must compute.
Step repeated(Step step, unsigned steps) {
    Step all{1, 0};
    for (unsigned s = 0; s < steps; ++s) all = {step.factor * all.factor, step(all.summand)};
    return all;
}

class Stream {
  public:
    Stream() { CUDA_CHECK(cudaStreamCreate(&stream_)); }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    ~Stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    operator cudaStream_t() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

/// Events before and after each operation of each piece.
using Marks = std::array<std::array<Event, 4>, pieces>;

using HostArray = std::unique_ptr<unsigned[], void (*)(unsigned*)>;

HostArray pageable(std::size_t n) {
    return {new unsigned[n], [](unsigned* p) { delete[] p; }};
}

HostArray pinned(std::size_t n) {
    void* p = nullptr;
    CUDA_CHECK(cudaMallocHost(&p, n * sizeof(unsigned)));
    return {static_cast<unsigned*>(p), [](unsigned* p) { cudaFreeHost(p); }};
}

/// A kind of host memory.
struct Kind {
    const char* name;
    HostArray (*allocate)(std::size_t n);
};
constexpr Kind kinds[] = {{"pinned", pinned}, {"pageable", pageable}};

/// The work: all pieces to the device, a kernel for each of them, and back.
class Work {
  public:
    Work(const Kind& kind, std::size_t n, unsigned steps)
        : kind_(kind), n_(n), steps_(steps), in_(kind.allocate(n)), out_(kind.allocate(n)), device_(n) {
        for (std::size_t i = 0; i < n; ++i) in_[i] = static_cast<unsigned>(i) * 2654435761u;
    }

    double milliseconds(unsigned streams_count) {
        const std::vector<Stream> streams(streams_count);
        const auto work = [&] {
            queue(streams);
            CUDA_CHECK(cudaDeviceSynchronize());
        };
        poison();
        work();
        verify();
        return 1e3 * host_seconds(work);
    }

    Timeline timeline(unsigned streams_count) {
        const std::vector<Stream> streams(streams_count);
        const Marks marks;
        poison();
        queue(streams, [&](unsigned piece, unsigned mark, cudaStream_t stream) {
            CUDA_CHECK(cudaEventRecord(marks[piece][mark], stream));
        });
        CUDA_CHECK(cudaDeviceSynchronize());
        verify();
        const std::string several = streams_count == 1 ? " stream" : " streams";
        return between(marks, std::string(kind_.name) + " memory, " + std::to_string(streams_count) + several);
    }

  private:
    template <class Record>
    void queue(const std::vector<Stream>& streams, const Record& record) {
        const std::size_t each = n_ / pieces, bytes = each * sizeof(unsigned);
        const unsigned blocks = static_cast<unsigned>((each + block_size - 1) / block_size);
        for (unsigned piece = 0; piece < pieces; ++piece) {
            const cudaStream_t stream = streams[piece % streams.size()];
            const std::size_t first = piece * each;
            unsigned* const values = device_.data() + first;
            record(piece, 0, stream);
            CUDA_CHECK(cudaMemcpyAsync(values, &in_[first], bytes, cudaMemcpyHostToDevice, stream));
            record(piece, 1, stream);
            advance<<<blocks, block_size, 0, stream>>>(values, each, step, steps_);
            CUDA_CHECK_LAUNCH();
            record(piece, 2, stream);
            CUDA_CHECK(cudaMemcpyAsync(&out_[first], values, bytes, cudaMemcpyDeviceToHost, stream));
            record(piece, 3, stream);
        }
    }

    void queue(const std::vector<Stream>& streams) {
        queue(streams, [](unsigned, unsigned, cudaStream_t) {});
    }

    void poison() {
        device_.poison();
        std::fill_n(out_.get(), n_, ~0u);
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    void verify() const {
        const Step all = repeated(step, steps_);
        for (std::size_t i = 0; i < n_; ++i)
            if (const unsigned expected = all(in_[i]); out_[i] != expected)
                throw wrong_result(std::string(kind_.name) + " memory: element " + std::to_string(i) +
                                   " is wrong: expected " + std::to_string(expected) + ", got " +
                                   std::to_string(out_[i]));
    }

    /// The time between the marks. The first mark of an operation may come while another one of its kind is still at
    /// work: then it begins when that one ends, since the device does copies in one direction one after the other.
    static Timeline between(const Marks& marks, const std::string& title) {
        Timeline timeline{title, {}};
        const auto time_of = [&](unsigned piece, unsigned mark) {
            float time = 0;
            CUDA_CHECK(cudaEventElapsedTime(&time, marks[0][0], marks[piece][mark]));
            return double{time};
        };
        for (unsigned r = 0; r < timeline.rows.size(); ++r) {
            std::vector<Operation>& row = timeline.rows[r];
            for (unsigned piece = 0; piece < pieces; ++piece)
                row.push_back({piece + 1, time_of(piece, r), time_of(piece, r + 1)});
            std::ranges::sort(row, {}, &Operation::end);
            for (std::size_t i = 1; i < row.size(); ++i) row[i].begin = std::max(row[i].begin, row[i - 1].end);
        }
        return timeline;
    }

    static constexpr Step step{1664525, 1013904223};

    const Kind& kind_;
    const std::size_t n_;
    const unsigned steps_;
    HostArray in_, out_;
    DeviceBuffer<unsigned> device_;
};

void print(const std::vector<Timeline>& timelines) {
    double longest = 0;
    for (const Timeline& timeline : timelines) longest = std::max(longest, end_of(timeline));
    std::printf("\nWhich piece is where: the whole width is %.3g ms\n", longest);
    for (const Timeline& timeline : timelines)
        std::printf("\n%s: %.3g ms\n%s", timeline.title.c_str(), end_of(timeline), drawn(timeline, longest).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string json;
        std::vector<std::string> chosen;
        CommandLine line("streams", "Overlaps copies and kernels in 1, 2, 4 and 8 streams.");
        line.list("--streams", chosen, "Only these numbers of streams", stream_counts);
        line.output_file("--json", json, "Write the times to this file");
        line.parse(argc, argv);
        if (chosen.empty()) chosen = stream_counts;

        std::printf("%s\n", device_line().c_str());
        // On a GPU the kernels take about as long as the copies of one direction.
        const std::size_t n = on_emulator() ? 1 << 20 : 1 << 24;
        const unsigned steps = on_emulator() ? 1 : 1024;
        Work with_pinned(kinds[0], n, steps), with_pageable(kinds[1], n, steps);
        const std::string mebibytes = std::to_string(n * sizeof(unsigned) >> 20);
        Table table("06_constant_events",
                    "Milliseconds for " + mebibytes + " MiB to the device, through a kernel and back, in 8 pieces",
                    "streams", {kinds[0].name, kinds[1].name});
        std::vector<Timeline> timelines;
        unsigned streams = 0;
        for (const std::string& text : chosen) {
            streams = static_cast<unsigned>(std::stoul(text));
            table.add(text, {with_pinned.milliseconds(streams), with_pageable.milliseconds(streams)});
            timelines.push_back(with_pinned.timeline(streams));
        }
        timelines.push_back(with_pageable.timeline(streams));
        print(timelines);
        if (on_emulator())
            std::printf(
                "\nThe emulator does each copy and each kernel when the host asks for it, whatever\n"
                "the stream: nothing overlaps here, and more streams save no time.\n");
        write(json, table, timelines);
    });
}
