#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../memory/memory.h"
#include "emulator/shared.h"
#include "emulator/types.h"
#include "findings.h"
#include "shadow.h"

// The checked build's view of a running kernel: each access to memory is held against what is known about the bytes
// (shadow.h) and about which thread knows of what others did before. One worker runs all blocks, so none of this needs
// a lock.
//
// Two accesses to a word by two threads, one of them a write that changes it, are a race unless something orders them:
// - a barrier of the block lies between, or of the grid, or the launches differ;
// - both threads were at a meeting of lanes in between (__syncwarp(), a shuffle, a vote);
// - the first thread passed __threadfence() and then did an atomic operation, or a store through volatile, and the
//   second did one, or a load through volatile, at the same address later; or others between them handed it on so.
//   Within a block, and in grids of very many blocks, the addresses are not compared: that forgives more than the
//   language does, and no correct program is accused.
namespace emulator {

struct Fiber;
struct Grid;
struct ResidentBlock;

/// What the checker knows about a block that has begun and not ended.
struct CheckedBlock {
    explicit CheckedBlock(char* shared_memory);

    static constexpr unsigned max_threads = 1024, warps = 32, lanes = 32;

    struct Fence {
        std::uint32_t phase = 0;
        std::uint16_t seen[lanes] = {};  // what the thread knew of its warp then
        bool any = false, for_all_blocks = false;

        void join(const Fence& other);
    };

    struct Variable {
        std::size_t begin, bytes;
        DescribedVariable type;
    };

    std::uint64_t number = 0;                 // counted over all launches
    std::uint32_t phase = 0;                  // barriers passed
    std::uint16_t seen[warps][lanes][lanes];  // [w][j][i]: lane j knows of what lane i did before this clock of i's
    Fence fences[max_threads];
    std::uint64_t polled[max_threads];      // when the thread last did an atomic operation or a load through volatile
    std::uintptr_t polled_at[max_threads];  // by which instruction
    std::uintptr_t polled_address[max_threads];
    std::uint64_t polled_by_all = 0;  // the same, of any thread before the last barrier
    bool clocks_used = false, fences_used = false, polled_used = false;
    bool fenced_now = false, fenced_now_for_all = false;        // by any thread since the last barrier
    bool fenced_before = false, fenced_before_for_all = false;  // before it
    std::uint32_t fenced_phase = 0;                             // the latest of those
    Shadow shared;

    std::uint64_t barrier_seen[max_threads / 64];  // threads that have arrived at the present barrier
    unsigned at_barrier = 0;
    std::uintptr_t barrier_code = 0;  // where the first of them is
    unsigned first_at_barrier = 0;    // which one that is
    struct LastOperation {
        unsigned mask = 0;
        std::uintptr_t code = 0;
    };
    LastOperation operations[max_threads];  // of a warp, in which the thread waits or was last
    unsigned ended[warps];                  // lanes that have come to the end of the kernel's text
    unsigned in_operation[warps];           // lanes that wait in one

    std::uint16_t& clock(unsigned thread) { return seen[thread / lanes][thread % lanes][thread % lanes]; }
};

class Checker {
  public:
    static Checker& instance();

    // Called by the engine, on the only worker.
    void grid_begins(const Grid& grid);
    void grid_ends();
    void grid_barrier_opens();
    void block_begins(ResidentBlock& block);
    void block_is_entered(ResidentBlock& block);
    void barrier_opens(ResidentBlock& block);
    void lanes_meet(ResidentBlock& block, unsigned warp, unsigned lanes);
    void thread_is_at_barrier(ResidentBlock& block, std::uintptr_t code);
    void lane_is_at(ResidentBlock& block, unsigned warp, unsigned mask, std::uintptr_t code);
    void lane_asks_absent(unsigned warp, unsigned lane, unsigned absent, unsigned mask, std::uintptr_t code);
    void lane_is_not_in_mask(const std::string& operation, std::uintptr_t code);
    void deadlock(const std::vector<Fiber*>& fibers, const char* what);
    void fault(std::uintptr_t address, bool write, std::uintptr_t code, bool is_stack_overflow);
    void shared_variable(std::size_t begin, std::size_t bytes, const DescribedVariable& type);
    void dynamic_shared_variable(const DescribedVariable& type) { dynamic_shared_ = type; }
    std::string shared_name(std::uintptr_t address, std::size_t bytes) const;

    // Called for what threads of kernels do. `known_bytes`: the same as `bytes`, for the compiler to know; or 0.
    template <bool write, std::size_t known_bytes>
    void access(std::uintptr_t address, std::size_t bytes, Touch touch, std::uintptr_t code, bool at_once);
    template <bool write>
    void local_access(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    void atomic(std::uintptr_t address, std::size_t bytes, Touch touch, std::uintptr_t code);
    void fence(bool for_all_blocks);
    void has_polled() { poll_again(); }

    /// Whether the thread looks at the same place as last time, and finds the same.
    bool has_looked(const volatile void* address, std::size_t bytes, const void* code);
    void end_of_kernel();

    struct Copy {
        std::uintptr_t to, from;
        std::size_t bytes, zeros;
        std::uintptr_t code;
    };
    void copy_begins(const Copy& copy) { copies_[present_thread()].open.push_back(copy); }
    void copies_are_group();
    void copies_are_awaited(std::size_t all_but);

    void note_index(const std::string& line) { indexed_at_ = line; }

    std::string who() const;     // the present thread
    std::string kernel() const;  // its name

    struct Value {
        std::uint64_t low = 0, high = 0;
    };

  private:
    struct Attempt {
        std::uintptr_t address;
        std::size_t bytes;
        bool write;
        std::uintptr_t code;
    };
    struct PendingWrite {
        std::uintptr_t address = 0;
        std::size_t bytes = 0;
        Shadow* shadow = nullptr;
        Access by{};
        Value before;
    };
    struct Suspicion {
        std::uintptr_t code;
        Finding finding;
    };
    struct Guess {
        Shadow* shadow;
        std::size_t word;
        Access change, read;
    };
    struct Lockstep {
        Access before, now;
        bool before_wrote, now_writes;
        std::uintptr_t address;
    };
    struct Release {
        std::uint64_t time;
        unsigned thread;
        CheckedBlock::Fence fence;
        bool inherited, inherited_for_all;
        std::uint32_t inherited_phase;
    };

    Shadow* usual_shadow(std::uintptr_t address, std::size_t bytes) const;
    Shadow* shadow_at(const Attempt& attempt, bool at_once);
    Shadow* elsewhere(const Attempt& attempt);
    Shadow* accuse(Kind kind, const Attempt& attempt, const char* detail, const char* cause);  // returns null
    bool is_in_shared_variable(std::uintptr_t address, std::size_t bytes);
    Access present(Touch touch, std::uintptr_t code) const;
    void check_initialised(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    void suspect_uninitialised(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    void read(Shadow& shadow, std::uintptr_t address, std::size_t bytes, Access by);
    void write(Shadow& shadow, std::uintptr_t address, std::size_t bytes, Access by);
    void settle() {
        if (pending_.shadow != nullptr) settle_write();
    }
    void settle_write();
    void absent_lane(unsigned mask, std::uintptr_t code, unsigned absent, const std::string& caller);
    bool ordered(const Shadow& shadow, Access before, Access now) const;
    bool handed_over(Access before, Access now) const;
    void tell_suspicions();
    void tell_guesses();
    void release(std::uintptr_t address);
    using Knowledge = std::unordered_map<std::uint64_t, std::size_t>;  // by block, how many of its releases

    void poll(std::uintptr_t address, std::uintptr_t code);
    void poll_again();
    static void learn(Knowledge& pupil, const Knowledge& teacher);
    bool few_blocks() const;
    void forget_what_was_told();
    bool was_polling();
    std::uint64_t present_thread() const;
    void race(Access before, bool before_wrote, Access now, bool now_writes, std::uintptr_t address, std::size_t bytes);
    std::string what(std::uintptr_t address, std::size_t bytes) const;
    std::string who(Access access) const;

    const Grid* grid_ = nullptr;
    CheckedBlock* block_ = nullptr;
    char* shared_ = nullptr;
    std::uint64_t first_block_ = 1;  // blocks of this launch, since the last barrier of the grid, have larger numbers
    std::uint64_t next_number_ = 1;
    std::uint64_t time_ = 0;
    std::unordered_map<std::uint64_t, std::vector<Release>> releases_;  // by block
    std::unordered_map<std::uint64_t, Knowledge> known_;                // to a block
    std::unordered_map<std::uintptr_t, Knowledge> told_;                // at an address
    std::vector<CheckedBlock::Variable> variables_;                     // __shared__ ones of this launch
    DescribedVariable dynamic_shared_{};                                // the latest by which it was used
    struct Copies {
        std::vector<Copy> open;
        std::deque<std::vector<Copy>> groups;
    };
    std::unordered_map<std::uint64_t, Copies> copies_;  // of threads, not made yet
    PendingWrite pending_;
    std::vector<Suspicion> suspected_;  // to be told unless it turns out to be half of a race
    std::vector<Guess> guesses_;
    std::unordered_set<std::uint32_t> guess_codes_;    // loads that, in some thread, such an atomic operation followed
    std::vector<Lockstep> lockstep_;                   // races through volatile, if no loop waits there
    std::unordered_set<std::uint32_t> waiting_loops_;  // loads through volatile that found the same again
    bool launch_is_over_ = false;
    struct Look {
        std::uint64_t thread = 0;
        const volatile void* address = nullptr;
        const void* code = nullptr;
        unsigned char found[16] = {};
    } last_look_;
    std::vector<std::uint64_t> polling_;  // threads that are about to look at something volatile
    struct {
        std::uintptr_t begin = 0;
        std::size_t bytes = 0;
        Shadow* shadow = nullptr;
    } last_variable_;  // of the device, that a kernel has touched: often it is the next one, too
    struct {
        std::uintptr_t begin = 0;
        std::size_t bytes = 0;
    } last_shared_;  // __shared__ one of this block, the same
    std::uintptr_t told_of_ = 0;
    std::string indexed_at_;  // the line of the last index that is too large for its array
};

/// An index that an array, whose size the compiler knows, does not have. `array`: its type, in quotes.
void report_index(const char* file, unsigned line, const char* array, const std::string& index);

/// "cache[3][32] in shared memory", the element at that distance in bytes; of one beyond it, how it is declared, too.
std::string variable_name(const DescribedVariable& variable, long long distance, std::size_t bytes, const char* memory);

/// Whether the address is in what a kernel has allocated with malloc() or new.
bool is_from_kernel(std::uintptr_t address);

/// The checker while a kernel's thread runs on this OS thread, else null.
EMULATOR_TLS Checker* active_checker;

/// The stack that the kernel's present thread runs on.
struct StackRange {
    std::uintptr_t begin, bytes;
};
EMULATOR_TLS StackRange own_stack;

}  // namespace emulator
