#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../memory/memory.h"
#include "active_checker.h"
#include "address_checks.h"
#include "async_copies.h"
#include "barrier_checks.h"
#include "cluster_checks.h"
#include "counters/counters.h"
#include "emulator/check.h"
#include "emulator/shared.h"
#include "emulator/types.h"
#include "happens_before.h"
#include "initialisation_checks.h"
#include "launch.h"
#include "local_arrays.h"
#include "proxy_checks.h"
#include "race_detection.h"
#include "warp_mask_checks.h"

// The checked build's view of a running kernel. Its races are those of FastTrack (Flanagan and Freund, PLDI 2009): two
// accesses to a word by two threads, one of them a write, are a race unless one happened before the other, and to know
// that it is enough to keep the epoch (clock@thread) of the last write to each word and to hold it against the vector
// clock of the thread that comes next.
//
// Three things are from FastTrack's descendants for GPUs. A thread's vector clock is not as long as the grid has
// threads but has a level for the block and one for the warp (Barracuda, Eizenberg et al., PLDI 2017): the block's
// barriers count phases, and within a phase each thread knows the clocks of its warp. Most kernels have no more than
// these barriers, which cost nothing per access (CURD, Peng et al., PLDI 2018). A fence before an atomic operation
// makes a release of it, and fences and atomic operations order no more threads than their scope has (Barracuda; ScoRD,
// Kamath et al., ISCA 2020). Lanes do not run in lockstep: __syncwarp() is what orders them (iGUARD, Kamath and Basu,
// SOSP 2021).
//
// It departs from FastTrack in that
// - the last reads by two threads are kept of each word, and no vector clock of reads where there are more: a race with
//   an older one is missed;
// - stores of one constant by several threads, as of a flag, do not race with each other. Nor does a plain load race
//   with atomic operations of others if it only decides about one of the same thread on the same word. Whether a store
//   changes the value makes no difference;
// - a release and an acquire within a block, or in a grid of more than 1024 blocks, are taken for a pair whatever
//   their addresses. That forgives more than the language does, and no correct program is accused;
// - a clock that has come to 4095 counts as known to all;
// - one OS thread runs all blocks, so that nothing here needs a lock.
//
// Where to find what: happens_before.h has the clocks, race_detection.h the comparison, shadow_memory.h what is kept of
// each word. address_checks.h, initialisation_checks.h, barrier_checks.h, warp_mask_checks.h and deadlock_report.h are
// for the other mistakes, findings.h for the reports.
namespace emulator {

struct Fault;

struct Fiber;
struct Grid;
struct NamedBarrier;
struct ResidentBlock;

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
    void thread_is_at_named_barrier(ResidentBlock& block, unsigned id);
    void named_barrier_opens(ResidentBlock& block, const NamedBarrier& barrier);
    void thread_is_at_cluster_barrier(ResidentBlock& block, std::uintptr_t code, bool releases);
    void cluster_barrier_opens(Cluster& cluster);
    void cluster_barrier_opens_without_all(const Cluster& cluster);
    void thread_has_waited_for_cluster(const ResidentBlock& block);
    void block_of_cluster_ends(const ResidentBlock& block);
    void lanes_meet(ResidentBlock& block, unsigned warp, unsigned lanes);
    void thread_is_at_barrier(ResidentBlock& block, std::uintptr_t code);
    void lane_is_at(ResidentBlock& block, unsigned warp, unsigned mask, std::uintptr_t code);
    void lane_asks_absent(unsigned warp, unsigned lane, unsigned absent, unsigned mask, std::uintptr_t code) {
        warp_masks_.lane_asks_absent(warp, lane, absent, mask, code);
    }
    void lane_asks_who_is_there(std::uintptr_t code) { warp_masks_.lane_asks_who_is_there(code); }
    void lane_asks_outside(unsigned warp, unsigned lane, unsigned source, std::uintptr_t code) {
        warp_masks_.lane_asks_outside(warp, lane, source, code);
    }
    void lane_is_not_in_mask(const std::string& operation, std::uintptr_t code) {
        warp_masks_.lane_is_not_in_mask(operation, code);
    }
    void deadlock(const std::vector<Fiber*>& fibers, const char* what);
    void kernel_fails(cudaError_t error, const std::string& what, std::uintptr_t code);
    void assertion_fails(const char* assertion, const char* file, unsigned line);
    void fault(const Fault& fault, std::uintptr_t code);
    void shared_variable(std::size_t begin, std::size_t bytes, const DescribedVariable& type);
    void dynamic_shared_variable(const DescribedVariable& type) { launch_.dynamic_shared = type; }

    // Called for what threads of kernels do. `at_once`: by one instruction.
    template <bool write>
    [[gnu::noinline]] void access(std::uintptr_t address, std::size_t bytes, AccessKind kind, std::uintptr_t code,
                                  bool at_once);
    /// A number for the thread that has stored there last.
    std::uint64_t stored_last(std::uintptr_t address, std::size_t bytes) const;
    /// The present thread is about to store what it has computed from a value that another one has replaced since.
    void update_is_late(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    /// A load is about to come that may pass by what the kernel has stored.
    void reads_only(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    /// An access by one plain instruction, in the region of allocations, `offset` behind its begin. False: it is not
    /// as nearly all are, and access() is to be told. And one that may be to shared memory.
    template <bool write, std::size_t bytes>
    bool usual_access(std::uintptr_t address, std::uintptr_t offset, std::uintptr_t code);
    template <bool write, std::size_t bytes>
    bool usual_shared_access(std::uintptr_t address, std::uintptr_t code);
    template <bool write>
    void local_access(std::uintptr_t address, std::size_t bytes, std::uintptr_t code, bool of_ended_function);
    void atomic(std::uintptr_t address, std::size_t bytes, AccessKind kind, AtomicChange change, std::uintptr_t code);
    void ordered_atomic(std::uintptr_t address, std::size_t bytes, OrderedAtomic how, std::uintptr_t code);
    void constant_follows() { constant_follows_ = true; }
    bool takes_constant() { return std::exchange(constant_follows_, false); }
    void own_operand_follows(std::uint64_t bits) { own_operand_ = bits; }
    bool takes_own_operand(std::uintptr_t code) {
        if (own_operand_) races_.note_own_operand(code, *own_operand_);
        return std::exchange(own_operand_, std::nullopt).has_value();
    }
    void atomic_is_done() { order_.acquire_again(); }
    void fence(bool for_all_blocks);
    bool loads_again(const volatile void* address, std::size_t bytes, const void* code) {
        return races_.loads_again(address, bytes, code);
    }
    void copy_begins(AsyncCopy copy);
    void bulk_copy_begins(AsyncCopy copy);
    void reduction_begins(AsyncCopy reduction);
    void bulk_copies_are_group() { AsyncCopies::commit(of_thread(launch_.block->bulk_copies)); }
    void block_ends();
    void bulk_copies_are_awaited(std::size_t all_but, bool only_read, std::uintptr_t code);
    void proxy_fence();
    void matrix_read(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    void matrices_are_group();
    void matrices_are_awaited(std::size_t all_but);
    void barrier(std::uintptr_t address, std::size_t bytes, BarrierUse use, std::uintptr_t code);
    void primary_is_awaited() {
        order_.complete_volatile_load();
        order_.await_primary();
    }
    void lets_next_begin() { launch_.block->lets_next_begin = true; }
    void copies_are_group() { AsyncCopies::commit(of_thread(launch_.block->copies)); }
    void copies_are_awaited(std::size_t all_but, std::uintptr_t code);
    void end_of_kernel() {
        complete_write();
        warp_masks_.thread_ends();
    }

    /// A thread looks into what may be an object's table of virtual functions, or reads something else that no memory
    /// of the device has: g++ tells of both in the same way.
    [[gnu::noinline]] void virtual_call(std::uintptr_t address, std::uintptr_t code);

    /// Whether others may come first before the present thread's atomic operation: with EMULATOR_INTERLEAVE always or
    /// never, else for a while once the launch has atomicCAS(), or flags.
    bool interleaves() const { return interleaves_; }
    void interleaving_matters() { interleaves_ |= may_interleave_; }
    bool lets_others_update() { return may_interleave_ && ++updates_ <= most_updates; }
    void note_interleaved() {
        if (++interleaved_ == most_interleaved && may_interleave_) may_interleave_ = interleaves_ = false;
    }
    bool has_interleaved() const { return interleaved_ > 0; }

    void index_is_reported(const std::string& line) { addresses_.index_is_reported(line); }
    const CheckedLaunch& launch() const { return launch_; }

  private:
    const ShadowMemory* owner(std::uintptr_t address, std::size_t bytes) const;
    void note_lock(std::uintptr_t address, std::size_t bytes, AtomicChange change, std::uintptr_t code);
    void atomic_access(std::uintptr_t address, std::size_t bytes, AccessKind kind, AtomicUse use, std::uintptr_t code,
                       AtomicChange change = AtomicChange::none);
    [[gnu::always_inline]] Access present(AccessKind kind, std::uintptr_t code, bool constant = false,
                                          AtomicChange change = AtomicChange::none) const {
        const CheckedBlock& block = *launch_.block;
        const bool in_row = (threadIdx.y | threadIdx.z) == 0;  // the first one, as most threads are
        const unsigned thread = in_row ? threadIdx.x : thread_number(threadIdx);
        return make_access(block.number, block.phase, thread, block.clock(thread), kind, code, constant, change);
    }
    template <bool write, std::size_t bytes, bool in_shared>
    bool usual_access(ShadowMemory& shadow, std::uintptr_t address, std::uintptr_t code);
    void look_whether_usual() {
        const bool usual = !warp_masks_.is_storing() && !races_.is_write_pending() && !order_.is_loading() &&
                           !copies_.any() && !launch_.is_beside_others() && launch_.cluster == nullptr && !counting &&
                           !watching;
        usual_checker = usual ? this : nullptr;
    }
    void complete_write() {
        warp_masks_.complete_store();
        races_.complete_write();
    }
    [[gnu::noinline]] void meet_others(ShadowMemory& shadow, const Attempt& attempt, Access access);
    ThreadCopies& of_thread(std::vector<ThreadCopies>& copies) const;
    CheckedBlock& block_with(std::uintptr_t shared_address) const;
    void bind_to_barrier(AsyncCopy& copy);
    void make_copy(const AsyncCopy& copy);
    [[gnu::noinline]] bool is_in_flight(const ShadowMemory& shadow, const Attempt& attempt, Access now);
    void report_outlives_block(const AsyncCopy& copy);
    void report_in_flight(const AsyncCopy& copy, bool at_its_source, bool is_ordered, const Attempt& attempt);

    CheckedLaunch launch_;
    HappensBefore order_{launch_};
    InitialisationChecks initialisation_{launch_};
    RaceDetection races_{launch_, order_, initialisation_};
    WarpMaskChecks warp_masks_{launch_};
    AddressChecks addresses_{launch_, warp_masks_};
    BarrierChecks barriers_{launch_};
    ClusterChecks clusters_{launch_, order_};
    ProxyChecks proxies_{launch_, order_, races_};
    AsyncCopies copies_;
    std::uintptr_t pointer_read_ = 0;           // where 8 bytes were read last
    bool constant_follows_ = false;             // the present thread is about to store one
    std::optional<std::uint64_t> own_operand_;  // the bits of the next atomic function's
    static constexpr unsigned most_interleaved = 10'000, most_updates = 100;
    unsigned interleaved_ = 0;  // how often others have come first, in this launch
    unsigned updates_ = 0;      // and how often they might have, before a store through volatile
    bool may_interleave_ = false, interleaves_ = false;
};

template <bool write, std::size_t bytes>
[[gnu::always_inline]] inline bool Checker::usual_access(std::uintptr_t address, std::uintptr_t offset,
                                                         std::uintptr_t code) {
    ShadowMemory* const shadow = addresses_.usual_allocation(address, bytes, offset);
    return shadow != nullptr && usual_access<write, bytes, false>(*shadow, address, code);
}

template <bool write, std::size_t bytes>
[[gnu::always_inline]] inline bool Checker::usual_shared_access(std::uintptr_t address, std::uintptr_t code) {
    return addresses_.is_in_usual_shared(address, bytes) &&
           usual_access<write, bytes, true>(launch_.block->shared, address, code);
}

template <bool write, std::size_t bytes, bool in_shared>
[[gnu::always_inline]] inline bool Checker::usual_access(ShadowMemory& shadow, std::uintptr_t address,
                                                         std::uintptr_t code) {
    const Access access = present(AccessKind::plain, code, write && constant_follows_);
    if constexpr (write) {
        if (launch_.block->any_shuffle_outside || !races_.write_alone<bytes, in_shared>(shadow, address, access))
            return false;
        constant_follows_ = false;
        shadow.set_initialised(address, bytes);
    } else {
        if (!shadow.is_initialised<bytes>(address) || !races_.read_alone<bytes, in_shared>(shadow, address, access))
            return false;
        if (bytes == sizeof(void*)) pointer_read_ = address;
    }
    return true;
}

/// An index that an array, whose size the compiler knows, does not have. `array`: its type, in quotes.
void report_index(const char* file, unsigned line, const char* array, const std::string& index);

/// Whole numbers are divided, and the divisor is zero. `code`: what the compiler's call returns to.
void report_division(const std::string& dividend, std::uintptr_t code);
void report_shift(const std::string& shifted, unsigned bits, const std::string& distance, std::uintptr_t code);

}  // namespace emulator
