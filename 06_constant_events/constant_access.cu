// Reads constant memory with 1, 2, 4 … 32 different addresses in a warp, and the same words from global memory through
// the L1 cache.

#include <cstdio>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/device.h"
#include "common/device_buffer.h"
#include "common/timer.h"
#include "harness/command_line.h"
#include "harness/program.h"
#include "harness/table.h"

namespace {

constexpr unsigned words = 256;  // 1 KiB, which every cache holds
constexpr unsigned loads = 4096, warps = 16;
const std::vector<std::string> addresses{"1", "2", "4", "8", "16", "32"};

/// next[i] is the word to read after word i, so a load cannot begin before the one before it has ended.
__constant__ unsigned constant_next[words];

struct Constant {
    static __device__ unsigned next(const unsigned*, unsigned i) { return constant_next[i]; }
};

struct Global {
    static __device__ unsigned next(const unsigned* words, unsigned i) { return __ldg(&words[i]); }
};

/// Each thread reads `loads` words. Lane l begins at word l % different, so a warp always reads `different` different
/// words, which are neighbours.
template <class Memory>
__global__ void follow(const unsigned* global_next, unsigned different, unsigned* ends) {
    unsigned i = threadIdx.x % 32 % different;
#pragma unroll 16
    for (unsigned load = 0; load < loads; ++load) i = Memory::next(global_next, i);
    ends[blockIdx.x * blockDim.x + threadIdx.x] = i;
}

/// A kind of memory, and the kernel that reads it.
struct Kind {
    const char* name;
    void (*kernel)(const unsigned*, unsigned, unsigned*);
};
constexpr Kind kinds[] = {{"constant", follow<Constant>}, {"global", follow<Global>}};

class Experiment {
  public:
    Experiment() {
        std::vector<unsigned> next(words);
        for (unsigned i = 0; i < words; ++i) next[i] = (i + 1) % words;
        CUDA_CHECK(cudaMemcpyToSymbol(constant_next, next.data(), sizeof constant_next));
        global_next_.copy_from(next);
    }

    /// Nanoseconds for one load of one warp, on a multiprocessor full of warps.
    double run(const Kind& kind, unsigned different) {
        const auto launch = [&] {
            kind.kernel<<<blocks_, 32 * warps>>>(global_next_.data(), different, ends_.data());
            CUDA_CHECK_LAUNCH();
        };
        ends_.poison();
        launch();
        verify(kind, different);
        return gpu_seconds(launch) * 1e9 / (double{loads} * warps * blocks_per_multiprocessor);
    }

  private:
    static constexpr unsigned blocks_per_multiprocessor = 4;

    void verify(const Kind& kind, unsigned different) const {
        const std::vector<unsigned> ends = ends_.to_host();
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const unsigned expected = (i % 32 % different + loads) % words;
            if (ends[i] != expected)
                throw wrong_result(std::string(kind.name) + " memory is wrong in thread " + std::to_string(i) +
                                   ": expected " + std::to_string(expected) + ", got " + std::to_string(ends[i]));
        }
    }

    const unsigned blocks_ = blocks_per_multiprocessor * multiprocessors();
    DeviceBuffer<unsigned> global_next_{words};
    DeviceBuffer<unsigned> ends_{std::size_t{blocks_} * warps * 32};
};

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string json;
        std::vector<std::string> chosen;
        CommandLine line("constant_access", "Reads constant memory with 1 to 32 different addresses in a warp.");
        line.list("--different", chosen, "Only these numbers of different addresses", addresses);
        line.output_file("--json", json, "Write the numbers to this file");
        line.parse(argc, argv);

        std::printf("%s\n", device_line().c_str());
        Experiment experiment;
        Table table("06_constant_events", "Nanoseconds for a load of a warp, on a multiprocessor full of warps",
                    "different addresses", {kinds[0].name, kinds[1].name}, true);
        for (const std::string& text : chosen.empty() ? addresses : chosen) {
            const auto different = static_cast<unsigned>(std::stoul(text));
            table.add(text, {experiment.run(kinds[0], different), experiment.run(kinds[1], different)});
        }
        table.draw();
        if (on_emulator())
            std::printf("\nThe emulator reads both from ordinary memory, word by word: its curves are flat.\n");
        table.write(json);
    });
}
