#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/engine.h"
#include "fault.h"
#include "fiber.h"
#include "print.h"
#include "watchdog.h"

namespace emulator {

class Worker;

inline constexpr unsigned max_workers = 16;

/// A launch that is being run.
struct Grid {
    const char* kernel;
    dim3 grid, block;
    std::size_t dynamic_shared;
    void (*run_threads)(const void*);
    const void* body;
    std::uint64_t blocks;
    bool cooperative;
    std::atomic<std::uint64_t> next_block = 0;
    std::atomic<std::uint64_t> at_barrier = 0, barriers = 0;  // blocks at the grid's barrier; how often it has opened
    std::atomic<std::uint64_t> ended = 0;                     // blocks, of a cooperative launch
    std::atomic<bool> failed = false;
    std::atomic<Worker*> workers[max_workers] = {};  // those that have run blocks of it
    std::atomic<unsigned> workers_there = 0;
    std::atomic<std::size_t> shared_bytes = 0;  // of static variables that its blocks have used
    std::atomic<bool> impatient = false;        // a thread was found that waits in a loop without saying so
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    /// Whether it has so few threads that waking another worker costs more than it brings: then one runs it all.
    bool is_small() const { return blocks * block.x * block.y * block.z < 4096; }
};

/// What the lanes of a warp have brought to the operations in which they wait.
struct Warp {
    unsigned live = 0;     // lanes that may still come: those that have ended leave it when somebody waits for them
    unsigned parked = 0;   // lanes whose threads have waited for something and have not ended yet
    unsigned waiting = 0;  // lanes that wait in an operation
    Fiber* fibers[32];
    Place places[32];
    std::uint64_t values[32];  // brought, and then the result
    unsigned sources[32];
};

/// A block that has begun and not ended.
struct ResidentBlock : Block {
    ResidentBlock();
    ~ResidentBlock();
    ResidentBlock(const ResidentBlock&) = delete;
    ResidentBlock& operator=(const ResidentBlock&) = delete;

    bool active = false;
    uint3 index{};  // blockIdx
    std::vector<std::uint16_t>
        shuffled;        // EMULATOR_SHUFFLE: numbers of threads that have not started, the next one last
    FiberQueue ready;    // may go on
    FiberQueue waiting;  // at the block's barrier
    unsigned arrived = 0;
    unsigned expected = 0;    // threads at the barrier that surely are all; the fewer that are left, the later known
    unsigned votes = 0;       // of the threads that have arrived
    unsigned last_votes = 0;  // when the barrier was last released
    unsigned spins = 0;       // calls of relax() in a row
    unsigned idle_turns = 0;  // threads that have had their turn and only waited, since the block was entered
    unsigned idle_spins = 0;  // the same, since anything else was done
    std::uint64_t relaxed_progress = 0;  // what had been done then
    bool any_parked = false;             // a thread of this block has waited
    bool at_grid_barrier = false;        // one of its threads waits there for all
    Warp warps[32];
    Prints prints;
#ifdef EMULATOR_CHECKED
    std::unique_ptr<struct CheckedBlock> checked;
#endif
};

/// An OS thread that runs blocks: one after another, unless all threads of a block wait for other blocks. It is to a
/// grid what a multiprocessor is.
class Worker {
  public:
    Worker();
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Runs blocks of the grid until there are no more. A failure is reported, ends the grid and marks it failed.
    void run(Grid& grid);

    /// Whether the OS thread is running a thread of a kernel right now.
    bool in_kernel() const { return in_kernel_; }

    /// Whether the thread may go on after `fault`, a near miss: see open_margin(). Called from the signal handler.
    bool forgive(const Fault& fault) const;

    /// Gives up the kernel because of `fault`. Called from the signal handler, on the handler's own stack.
    [[noreturn]] void escape(Fault fault);

    void sync_threads(const void* code);
    unsigned sync_threads_count(bool predicate, const void* code);
    bool is_cooperative() const { return grid_->cooperative; }
    void sync_grid(const void* code);
    std::uint64_t warp_operation(Place place, std::uint64_t value, unsigned source);
    void lockstep(Place place);
    void relax(const void* code);
    void thread_ended(uint3 thread);
    int print(unsigned place, const char* format, std::va_list arguments);
    [[noreturn]] void trap(const void* code);
    [[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line, const char* function);
    std::uint64_t place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known);

    /// What a fiber does for all its life.
    [[noreturn]] void carry();

    // For the watchdog, from its OS thread. Whether the same thread of a kernel has been running since the last call,
    // or the kernel has run for longer than EMULATOR_TIMEOUT allows and no thread has waited since the last call and
    // seen to that; whether others shall get their turn soon; has interrupted() called in this worker's OS thread.
    bool shall_be_interrupted();
    bool is_impatient() const { return impatient_; }
    void interrupt() const { pthread_kill(os_thread_, interruption); }
    static constexpr int interruption = SIGURG;  // ignored by default, and by debuggers

    /// The kernel's thread that runs has been at it for long. Called from the signal handler, on the thread's own
    /// stack.
    void interrupted(const void* context);

  private:
    bool next_block_is_alike();
    void begin_threads(ResidentBlock& block);
    bool take_shuffled_thread(ResidentBlock& block);
    bool all_started() const;
    bool claim_block(ResidentBlock& block);
    void enter(ResidentBlock& block);
    void leave_block(bool begin_another);
    ResidentBlock* another_begun_block();
    ResidentBlock* another_new_block();
    unsigned active_blocks() const;
    void no_thread_left_to_start();
    void release_barrier();
    void switch_to(Fiber* to);
    void wait();
    void yield(const void* code, bool interrupted, WarpOperation operation = WarpOperation::spin);
    void wait_for_grid(const void* code);
    void go_on_with(Fiber* next);
    void mark_parked();
    Fiber* next_fiber();
    void forget_waiting(ResidentBlock& block);
    void release_stuck();
    void release_what_ended_threads_kept();
    void release_stuck_warp(Warp& warp);
    void release_active_lanes(Warp& warp);
    void release_lockstep(Warp& warp);
    unsigned lanes_at(const Warp& warp, const Place& place) const;
    void complete(Warp& warp, WarpOperation operation, unsigned lanes);
    double seconds_spinning();
    void stop_if_overdue();
    [[noreturn]] void end_overdue(std::uintptr_t code);
    void count_progress() { progress_.store(progress_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    [[noreturn]] void give_up();
    std::string who_waits_where() const;
    void report_stuck(const char* what);
    std::string what_happened(const Fault& fault) const;
    void report(cudaError_t error, const std::string& what);
    void clean_up_after_failure();

    Grid* grid_ = nullptr;
    std::vector<std::unique_ptr<ResidentBlock>> blocks_;  // one, and more when blocks wait for each other
    ResidentBlock* here_;                                 // whose threads run
    std::uint64_t next_block_ = 0, claimed_ = 0;          // blocks of the grid that are this worker's to run
    uint3 next_index_{};

    Fiber own_stack_;
    Fiber* current_ = &own_stack_;
    FiberPool pool_;
    unsigned threads_ = 0;  // of a block
    unsigned warps_in_block_ = 0;

    std::atomic<std::uint64_t> progress_ = 0;  // what else than spinning has been done
    std::uint64_t computed_ = 0;               // the part of it that was only seen by interrupting a thread
    std::uint64_t spin_progress_ = 0;          // that of the whole grid, when spinning began
    std::chrono::steady_clock::time_point spin_begin_;

    std::size_t shared_used_ = 0;   // by static variables of the blocks of this launch, with gaps
    std::size_t shared_bytes_ = 0;  // the same, without

    SignalStack signal_stack_;
    sigjmp_buf given_up_;
    std::atomic<bool> in_kernel_ = false;

    // For the watchdog, which reads them from its OS thread.
    struct Snapshot {
        std::uint64_t progress = 0;
        unsigned launch = 0;
        uint3 thread{}, block{};
    };
    Snapshot look() const;
    const pthread_t os_thread_;
    const uint3 *const thread_index_, *const block_index_;  // this OS thread's built-in variables
    Snapshot last_seen_{};
    std::chrono::steady_clock::time_point first_seen_;
    CodeRange code_;                     // of the kernel, known by the first interruption
    std::atomic<const void*> any_code_;  // of the kernel
    std::optional<std::uint64_t> shuffle_;
    std::atomic<unsigned> launch_ = 0;  // this_launch
    std::atomic<bool> impatient_ = false;
    std::atomic<bool> overdue_ = false;  // see EMULATOR_TIMEOUT; set by the watchdog
    unsigned interruptions_ = 0;
};

/// "(1,2,3)"
std::string index(uint3 i);

/// The index that comes `linear` places after (0,0,0), x fastest.
inline uint3 index_in(std::uint64_t linear, dim3 extent) {
    return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(linear / extent.x % extent.y),
            static_cast<unsigned>(linear / extent.x / extent.y)};
}

/// The place of a thread in its block, x fastest.
inline unsigned thread_number(uint3 thread) {
    return thread.x + blockDim.x * (thread.y + blockDim.y * thread.z);
}

/// "__shfl_sync() with mask 0xffffffff at file.cu:12"
std::string describe(const Place& place);

/// The worker of the calling OS thread; made on first use.
Worker& this_worker();

/// The same, or null if the thread has none yet.
EMULATOR_TLS Worker* existing_worker;

}  // namespace emulator
