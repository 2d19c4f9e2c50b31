#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../reports/source_places.h"
#include "../trace/moved.h"
#include "floors.h"
#include "memory_requests.h"
#include "touched_sectors.h"

// What a profiler would count, per kernel and per source line: in the checked build, if EMULATOR_COUNT or
// EMULATOR_COUNT_JSON is in the environment when the program starts.
//
// A block's threads run one after another from one barrier to the next, so the requests of a warp are put together
// afterwards, from what each of its lanes did in order. Step by step those lanes go on together that come first in the
// program's text, as if all functions were inlined; the others wait for them to come along. That is how the lanes of a
// warp part at a branch and meet again behind it or at the end of a loop's round. Where they meet in a warp operation,
// they wait for all that took part.
//
// If kernels are watched, what each access moved is written down as well, and the requests go to the trace.
//
// counters.cpp writes down what lanes do, reconvergence.cpp puts requests together, memory_requests.h says what one
// costs, counters_report.cpp tells of them.
namespace emulator {

struct Finding;
struct Grid;
struct Participant;
struct ResidentBlock;
struct TracedBlock;
struct TracedSite;

/// Whether kernels are counted, instead of having their accesses checked; watched ones are both.
extern bool counting;
void count_if_asked();

class Counters {
  public:
    static Counters& instance();

    // Called by the checker, on the only worker.
    void grid_begins(const Grid& grid);
    void grid_ends();
    void block_begins(const ResidentBlock& block);
    void block_is_entered(const ResidentBlock& block);
    void barrier_opens(std::uintptr_t code, bool of_grid, bool with_votes);
    void lanes_meet(unsigned warp, unsigned lanes, std::uintptr_t code);
    void lanes_exchange(unsigned lanes, const char* operation, const std::uint64_t* brought, const std::uint64_t* got,
                        const unsigned* sources);  // right before they meet, of watched kernels

    // Called for what threads of kernels do. `piece`: the bytes that one instruction of a GPU moves.
    void access(std::uintptr_t address, std::size_t bytes, std::size_t piece, Operation operation, std::uintptr_t code);
    void fence(std::uintptr_t code);
    void step();
    void enter(std::uintptr_t caller);
    void kernel_is_at(std::uintptr_t code) { kernel_->code = code; }
    void leave();

    // Of watched kernels. What was last told of is done by now; it wrote that; it was an atomic operation, and the word
    // held that before.
    void complete();
    bool continues_copy(std::size_t bytes, std::uintptr_t code);
    void stored(const void* bytes);
    void atomic_is_done(const void* before, std::size_t bytes);
    void mark(const Finding& finding, std::uint32_t number);
    std::vector<TracedSite> traced_sites() const;

    void tell() const;

  private:
    // A function in a function, down to the one where something is done, by return addresses.
    struct Path {
        std::uint32_t outer;
        std::uintptr_t caller;
    };
    // How many of each kind, by memory and operation.
    using Requests = std::array<std::array<std::uint64_t, operations>, memories>;
    // A place of the program where something is done.
    struct Site {
        std::uintptr_t code;
        std::uint32_t path;
        std::uint32_t piece;  // its number, of an access that is several
        Operation operation;
        Memory memory;
        bool operator==(const Site&) const = default;
    };
    struct HashOfSite {
        std::size_t operator()(const Site& site) const;
    };
    struct Event {
        std::uintptr_t address;  // of a meeting: its number
        std::uint32_t site;
        std::uint32_t bytes;  // of a meeting: who was there
    };
    // Ranks: whence lanes go back last, and with which a round ends for those and for the others.
    struct Loop {
        std::uint32_t last, end, inner_end;
    };
    static constexpr std::uint32_t no_site = ~std::uint32_t{0};
    struct Thread {
        std::vector<Event> events;  // since the block's last barrier, or the last meeting of the whole warp
        std::vector<Moved> moved;   // by them, if the block is watched
        std::vector<std::uint32_t> path;
        std::uint32_t site_before = no_site;  // of the event before those
    };
    // Accesses to memory, which take a GPU longest, and of a program that is compiled with -fsanitize-coverage=trace-pc
    // the pieces of code without a branch that threads ran through. Those are steps only once something is done with
    // them: an access, or a value for the other lanes or threads. To come, to find nothing to do and to go is no work,
    // however many pieces the compiler makes of it.
    static constexpr unsigned steps_of_access = 2;
    struct Steps {
        std::uint64_t all = 0;
        std::uint64_t of_lane = 0;                               // of the busiest one of each warp
        std::uint64_t of_thread = 0, of_warp = 0, of_block = 0;  // of the busiest one of each launch

        void add(const Steps& more) {
            all += more.all, of_lane += more.of_lane;
            of_thread += more.of_thread, of_warp += more.of_warp, of_block += more.of_block;
        }
    };
    struct CountedBlock {
        Thread threads[1024];
        std::array<std::uint64_t, 1024> steps{};   // of each thread
        std::array<std::uint64_t, 1024> pieces{};  // of code, since then
        unsigned last_warp = 0;                    // that did something
        std::array<Requests, 1024 / lanes_of_warp> of_warps{};
        Requests of_all_warps{};
        TracedBlock* traced = nullptr;

        void has_worked(unsigned thread) { steps[thread] += std::exchange(pieces[thread], 0); }
    };
    struct Kernel {
        std::string name;
        std::vector<std::string> ranges;             // of NVTX; in others it counts as another kernel
        void (*run_threads)(const void*) = nullptr;  // which no other kernel has
        std::uintptr_t code = 0;                     // in its first line
        std::uint64_t launches = 0, blocks = 0, threads = 0;
        unsigned lost = 0;          // launches that failed, or did too much between two barriers
        std::vector<Counts> sites;  // by their numbers
        Requests most_of_a_warp{}, most_of_a_block{};
        std::uint64_t read_sectors = 0, written_sectors = 0;  // of global memory, in each launch counted once
        std::array<Floor, known_gpus.size()> floors{};        // of all launches; the limit is that of the longest
        std::array<double, known_gpus.size()> longest{};
        Steps steps;
    };
    struct Line {
        std::string path;
        unsigned number;
        Operation operation;
        Memory memory;
        Counts counts;
    };

    std::uint32_t number_of(const Site& site);
    void add(unsigned thread, std::uintptr_t address, std::size_t bytes, Site site);
    void add_floors();
    Counts& counts_of(std::uint32_t site);
    void take_steps(CountedBlock& block);
    void close(unsigned warp);
    void close_all();
    void order_sites();
    void find_loops(const Thread* threads);
    bool all_come_equally_often(const Thread* threads, std::uint32_t begin, std::uint32_t end) const;
    std::uint64_t turn_of(const Thread& thread, std::size_t event) const;
    bool goes_back(const Thread& thread, std::size_t event, std::uint32_t* from) const;
    void count(unsigned warp, const Event* const* lanes);
    void trace(unsigned warp, const Event* const* lanes, const LaneAddresses& addresses, const Counts& counts);
    void await(Operation operation);
    void load_first(unsigned stores, unsigned loads);
    bool mark_open(Thread& thread, const Participant& who, std::uint32_t number);
    void mark_traced(const TracedBlock& block, unsigned thread, const Participant& who, std::uint32_t number);
    void mark_if_next(Thread& thread);
    SourcePlace program_place(const Site& site, SourcePlace place) const;
    Memory memory_of(std::uintptr_t address) const;
    std::vector<Line> lines_of(const Kernel& kernel) const;
    static void tell_floor(const Kernel& kernel);
    void write_json(const char* path) const;

    const Grid* grid_ = nullptr;
    const ResidentBlock* resident_ = nullptr;
    CountedBlock* block_ = nullptr;
    std::unordered_map<const ResidentBlock*, std::unique_ptr<CountedBlock>> blocks_;
    unsigned threads_ = 0;  // of a block
    bool lost_ = false;     // the present launch
    Steps steps_;           // of that
    std::size_t events_ = 0;
    TouchedSectors touched_;  // by the present launch
    std::uintptr_t meetings_ = 0;
    Thread* last_ = nullptr;                                // that did something
    unsigned pending_ = 0;                                  // so many of the latest things are still to be done
    unsigned copied_ = 0;                                   // the pending stores that the next load belongs to
    std::unordered_map<std::uintptr_t, bool> copies_;       // which loads are of a statement that copies
    std::unordered_map<std::uint32_t, const char*> names_;  // of warp operations, by their sites
    struct {
        const Thread* thread = nullptr;
        std::uint32_t finding = 0;
        SourcePlace place{};
    } marked_next_;  // the access that is to come, if it is in that line
    std::array<Moved, lanes_of_warp> exchanged_{};
    const char* exchange_ = nullptr;

    std::vector<Path> paths_{{0, 0}};
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> inner_paths_;
    std::vector<Site> sites_;
    std::unordered_map<Site, std::uint32_t, HashOfSite> numbers_;
    std::vector<std::uint32_t> ranks_;     // of the sites in the program's text
    std::map<std::uint32_t, Loop> loops_;  // of the warp that is looked at, by the rank with which a round begins

    std::vector<std::unique_ptr<Kernel>> kernels_;
    Kernel* kernel_ = nullptr;
};

}  // namespace emulator
