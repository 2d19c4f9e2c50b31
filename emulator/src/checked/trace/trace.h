#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../counters/memory_requests.h"
#include "../findings.h"
#include "arrays.h"
#include "emulator/types.h"
#include "graphs.h"
#include "moved.h"

// How kernels ran, step by step: in the checked build, if EMULATOR_WATCH (a page to look at) or EMULATOR_WATCH_JSON
// (the trace itself) names a file when the program starts. The counters put the steps together;
// emulator/watch/README.md describes the trace. trace.cpp keeps it, arrays.h names the memory in it, trace_json.cpp and
// page.cpp write it.
namespace emulator {

struct Grid;

/// Whether kernels are watched. Then they are counted, too.
extern bool watching;
void watch_if_asked();

/// A request or a warp operation: what a warp did at one place of the program at once.
struct TracedStep {
    struct Lane {
        unsigned lane;
        std::uint32_t array;
        std::int64_t offset;  // in bytes
        Moved moved;
    };
    std::uint32_t site = 0;
    std::uint32_t bytes = 0;  // of each lane
    Counts counts{};
    std::vector<Lane> lanes{};

    std::int64_t by() const { return lanes.size() < 2 ? 0 : lanes[1].offset - lanes[0].offset; }
    bool is_row() const;  // each lane is that many bytes behind the one before
};

/// What happened in a block from one barrier to the next.
struct TracedRound {
    static constexpr std::uint32_t no_barrier = ~0u;
    std::uint32_t barrier = no_barrier;  // the site of the one that ends it
    bool of_grid = false;                // for which all blocks wait
    std::vector<std::vector<TracedStep>> warps;
};

struct TracedBlock {
    uint3 index{};
    std::uintptr_t shared = 0;   // where its shared memory is
    std::uint64_t left_out = 0;  // steps and barriers
    std::size_t steps = 0;
    struct Kept {
        std::size_t steps = 0, bytes = 0;  // bytes: of the page, about
    };
    std::array<Kept, lanes_of_warp> of_warp{};
    bool has_ended = false;  // as far as it is kept
    std::vector<TracedRound> rounds;
};

struct TracedFinding {
    struct Position {
        std::size_t block, round, warp, step;
        unsigned lane;
    };
    std::string kind, report;
    std::vector<Position> positions;
};

struct TracedLaunch {
    std::string kernel, stage;
    std::uintptr_t code = 0;  // in the kernel's first line
    dim3 grid, block;
    std::uint64_t blocks = 0;
    TracedArrays arrays;
    std::vector<std::unique_ptr<TracedBlock>> shown;
    std::vector<TracedFinding> findings;
};

/// Where in the program a step is.
struct TracedSite {
    Operation operation;
    Memory memory;
    const char* name;  // of a warp operation
    SourcePlace place;
};

class Trace {
  public:
    static constexpr std::size_t most_steps = 20'000, most_bytes = 1'900'000, most_blocks = 4;

    static Trace& instance();

    /// A pointer among the parameters of the kernel that is about to be launched.
    void launch_follows() { pointers_ = {}; }
    void pointer(const char* name, const void* pointer, const DescribedVariable& pointee) {
        pointers_.add_pointer(name, reinterpret_cast<std::uintptr_t>(pointer), pointee);
    }

    // Called by the counters.
    void grid_begins(const Grid& grid, const std::vector<std::string>& ranges);
    void grid_ends(std::uintptr_t kernel_code);
    void launch_is_over() { launch_ = nullptr; }                 // and nothing more is found in it
    TracedBlock* block_begins(uint3 index, const void* shared);  // null: this one is not kept
    /// `lanes`: null where a lane takes no part.
    void step(TracedBlock& block, unsigned warp, std::uint32_t site, Memory memory, std::uint32_t bytes,
              const Counts& counts, const LaneAddresses& lanes, const Moved* const* moved);
    void barrier(TracedBlock& block, std::uint32_t site);
    void grid_barrier_opens(TracedBlock& block);  // at which the block's last barrier was

    /// Returns the number of the finding in the present launch, for Moved::finding.
    std::uint32_t finding(std::string_view kind, const std::string& report);
    void mark(std::uint32_t finding, const TracedBlock& block, std::size_t round, std::size_t warp, std::size_t step,
              unsigned lane);

    TracedLaunch* launch() { return launch_; }

    /// A graph was launched. One that is like another is counted there.
    void graph(TracedGraph launched);

    /// Writes what was asked for. False if that is not possible, which is told.
    bool write(const std::vector<TracedSite>& sites);

  private:
    void begin_round(TracedBlock& block);
    bool is_full(const TracedBlock& block, unsigned warp) const;

    // How many launches there are before the program does the same again, as it does to measure.
    std::size_t different_launches(const std::vector<TracedSite>& sites) const;
    std::string json(const std::vector<TracedSite>& sites, std::size_t shown) const;

    std::vector<std::unique_ptr<TracedLaunch>> launches_;
    TracedLaunch* launch_ = nullptr;  // the present one, if it is kept
    TracedArrays pointers_;           // of the next one
    std::uint64_t launches_left_out_ = 0;
    std::vector<TracedGraph> graphs_;
    std::size_t steps_ = 0, bytes_ = 0;  // of the page, about
    std::size_t most_steps_of_block_ = 0, most_bytes_of_block_ = 0;
    std::map<std::uint32_t, std::uint32_t> bytes_of_site_;  // that a lane moves there
};

/// The page that shows the trace, as a file's text.
std::string watch_page(const std::string& title, const std::string& json, const TracedLaunch& picture,
                       const std::vector<TracedSite>& sites);

}  // namespace emulator
