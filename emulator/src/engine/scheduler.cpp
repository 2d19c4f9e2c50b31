// Which block and which thread of it a worker runs next: blocks are shared out among the workers of a grid, and the
// threads of a block begin one after another.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "../reports/error_state.h"
#include "emulator/atomics.h"
#include "emulator/shared.h"
#include "switching.h"
#include "worker.h"

namespace emulator {
namespace {

// Threads, in the whole process, of blocks that wait for each other: more stacks need more mappings than Linux gives.
constexpr unsigned most_threads = 16384;

constexpr std::size_t lacking_bytes = 64;  // looked at where a launch asks for no dynamic shared memory

}  // namespace

// Before a block begins in which nobody has waited yet.
void Worker::forget_waiting(ResidentBlock& block) {
    block.ready.clear();
    block.waiting.clear();
    block.parked = block.arrived = block.votes = block.spins = block.idle_turns = 0;
    block.expected = threads_;
    block.any_parked = block.at_grid_barrier = false;
    block.named.reset();
    for (unsigned w = 0; w < warps_in_block_; ++w) {
        const unsigned lanes = std::min(32u, threads_ - 32 * w);
        block.warps[w].live = 0xffffffff >> (32 - lanes);
        block.warps[w].parked = block.warps[w].waiting = 0;
    }
}

void Worker::carry() {
    for (;;) {
        threadIdx.x = no_thread;  // What it holds is another's, who would be taken for interrupted until ours begins.
        uninterruptible = false;
        grid_->run_threads(grid_->body);
        uninterruptible = true;
        if (take_shuffled_thread(*here_)) continue;
        if (!next_block_is_alike()) no_thread_left_to_start();
    }
}

// The threads of a block start in order, or, with EMULATOR_SHUFFLE, each time in another one: that of Fisher and Yates.
inline void Worker::begin_threads(ResidentBlock& block) {
    block.next = {0, 0, 0};
    block.end = {grid_->block.x, grid_->block.y, grid_->block.z};
    block.one_at_a_time = shuffle_.has_value();
    if (!shuffle_) return;
    std::seed_seq seed{*shuffle_, std::uint64_t{this_launch}, std::uint64_t{block.index.x},
                       std::uint64_t{block.index.y}, std::uint64_t{block.index.z}};
    std::minstd_rand generator(seed);
    block.shuffled.resize(threads_);
    std::iota(block.shuffled.begin(), block.shuffled.end(), std::uint16_t{0});
    std::shuffle(block.shuffled.begin(), block.shuffled.end(), generator);
    take_shuffled_thread(block);
}

// The next thread of a shuffled block is all that run_threads() gets to see. False if there is none.
inline bool Worker::take_shuffled_thread(ResidentBlock& block) {
    if (__builtin_expect(block.shuffled.empty(), true)) return false;
    block.next = index_in(block.shuffled.back(), grid_->block);
    block.end = {block.next.x + 1, block.next.y + 1, block.next.z + 1};
    block.shuffled.pop_back();
    return true;
}

// Goes on with the next block where that is a matter of its index: claim_block() and enter() for a block beside the
// last one of which no thread has waited, and that has no shared memory.
inline bool Worker::next_block_is_alike() {
    ResidentBlock& block = *here_;
    if (block.any_parked || shuffle_ || !claimed_.next_is_beside(*grid_) || grid_->cooperative ||
        shared_.used() + grid_->dynamic_shared > 0 || !block.prints.empty())
        return false;
    blockIdx.x = block.index.x = claimed_.claim_beside();
    block.next = {0, 0, 0};
    EMULATOR_CHECK(block_begins(block));
    EMULATOR_CHECK(block_is_entered(block));
    return true;
}

// Who stores in dynamic shared memory, of which the launch has none, is likely to store in its first bytes.
void Worker::look_for_lacking_bytes(const ResidentBlock& block) {
    const auto* const first = reinterpret_cast<const unsigned char*>(block.shared + dynamic_shared_begin);
    if (std::all_of(first, first + lacking_bytes, [](unsigned char b) { return b == 0xff; })) return;
    if (!grid_->lacks_dynamic.exchange(true))
        explain(
            "kernel %s stores in dynamic shared memory, and the launch asks for none: the third argument is missing, "
            "kernel<<<grid, block, bytes>>>(...).",
            grid_->kernel);
}

void Worker::no_thread_left_to_start() {
    ResidentBlock* block = here_;
    if (block->parked == 0) {  // The block has ended.
        EMULATOR_CHECK(block_ends());
        if (!checked && grid_->dynamic_shared == 0) look_for_lacking_bytes(*block);
        block->keep_prints();
        if (grid_->cooperative) ++grid_->ended;
        if (grid_->has_clusters()) {
            block = behind_block_of_cluster();
        } else {
            if (claim_block(*block)) return enter(*block);  // This fiber goes on with it.
            block->active = false;
            block = another_begun_block();
        }
        if (block == nullptr) leave_for(&own_stack_);
        enter(*block);
    } else if (block->ready.empty()) {
        release_stuck();
    }
    if (here_->ready.empty()) return;  // This fiber takes up threads that have not begun.
    leave_for(here_->ready.pop());
}

bool Worker::claim_block(ResidentBlock& block) {
    if (!claimed_.claim(*grid_)) return false;
    begin_block(block, load(claimed_.index()));
    return true;
}

void Worker::begin_block(ResidentBlock& block, uint3 index) {
    block.active = true;
    block.index = index;
    if (block.member.cluster != nullptr && !grid_->has_clusters()) block.member.cluster->begin_alone(block);
    begin_threads(block);
    if (block.any_parked) forget_waiting(block);
    if (shared_.used() > 0) std::memset(block.shared, 0xff, shared_.used());
    block.dynamic_shared = grid_->dynamic_shared;
    std::memset(block.shared + dynamic_shared_begin, 0xff, std::max(block.dynamic_shared, lacking_bytes));
    EMULATOR_CHECK(block_begins(block));
}

// From here on the threads of `block` run.
void Worker::enter(ResidentBlock& block) {
    here_ = &block;
    this_block = &block;
    blockIdx = load(block.index);
    shared_memory_begin = reinterpret_cast<std::uintptr_t>(block.shared);
    EMULATOR_CHECK(block_is_entered(block));
}

// Another block that has begun and can go on, each in turn; null if there is none.
ResidentBlock* Worker::another_begun_block() {
    const auto is_here = [this](const auto& block) { return block.get() == here_; };
    const auto may_go_on = [](const auto& block) { return can_go_on(*block); };
    const auto here = std::find_if(blocks_.begin(), blocks_.end(), is_here);
    auto next = std::find_if(here + 1, blocks_.end(), may_go_on);
    if (next == blocks_.end()) next = std::find_if(blocks_.begin(), here, may_go_on);
    return next == blocks_.end() || next == here ? nullptr : next->get();
}

unsigned Worker::active_blocks() const {
    const auto is_active = [](const auto& block) { return block->active; };
    return static_cast<unsigned>(std::count_if(blocks_.begin(), blocks_.end(), is_active));
}

// A block of the grid that has not begun, with the others left where they are; null if there is none or no room.
ResidentBlock* Worker::another_new_block() {
    const bool all_may_live = grid_->cooperative || grid_->is_small();
    const unsigned more = grid_->has_clusters() ? grid_->cluster_blocks() : 1;
    if (!all_may_live && (active_blocks() + more) * threads_ > most_threads / worker_count()) return nullptr;
    if (grid_->has_clusters()) return claim_cluster();
    ResidentBlock& free = unused_block();
    forget_waiting(free);
    return claim_block(free) ? &free : nullptr;
}

// Goes on with other blocks, since all threads of this one only wait. The current thread is among the ready ones.
// For `seconds` nothing has been done in the whole grid.
void Worker::leave_block(bool begin_another, double seconds) {
    ResidentBlock* next = begin_another ? another_new_block() : nullptr;
    if (next == nullptr) next = another_begun_block();
    // Who is waited for may be in another worker, which waits for a core. Where other programs want the cores as well
    // it is long until the system lets us go on: so all blocks here have their turn before, and the other one its time.
    constexpr double brief = 50e-6;
    if (seconds > brief && ++blocks_left_ >= active_blocks()) {
        blocks_left_ = 0;
        std::this_thread::yield();
    }
    if (next != nullptr) enter(*next);
    here_->idle_turns = 0;
    go_on_with(here_->ready.empty() ? pool_.take() : here_->ready.pop());
}

// The current thread is no longer the one that started last and has not waited: from now on it is counted.
void Worker::mark_parked() {
    ResidentBlock& block = *here_;
    // It was stored a moment ago: a load of x and y at once would wait until the store is through.
    const unsigned x = const_cast<volatile unsigned&>(threadIdx.x), y = threadIdx.y, z = threadIdx.z;
    block.next = {x + 1, y, z};
    current_->thread = {x, y, z};
    current_->parked = block.any_parked = true;
    current_->block = &block;
    ++block.parked;
    const unsigned i = thread_number({x, y, z});
    block.warps[i / 32].parked |= 1u << i % 32;
}

// As the current thread begins to wait for the first time, or when nobody may go on.
Fiber* Worker::find_next_fiber() {
    if (!current_->parked) mark_parked();
    if (watched_.is_overdue()) stop_if_overdue();
    if (here_->ready.empty() && all_started(*here_)) release_stuck();  // which may have entered another block
    return here_->ready.empty() ? pool_.take() : here_->ready.pop();
}

void Worker::thread_ended(unsigned x, unsigned y, unsigned z) {
    watched_.count_progress();
    ResidentBlock& block = *here_;
    if (!current_->parked) {
        block.next = {x + 1, y, z};
        return;
    }
    current_->parked = false;
    --block.parked;
    const unsigned i = thread_number({x, y, z}), bit = 1u << i % 32;
    block.warps[i / 32].parked &= ~bit;
    block.warps[i / 32].live &= ~bit;
    // As most often: carry() would come to the same.
    if (block.parked > 0 && !block.ready.empty() && all_started(block)) leave_for(block.ready.pop());
}

void run_carrier() {
    existing_worker->carry();
}

void thread_ended(unsigned x, unsigned y, unsigned z) {
    existing_worker->thread_ended(x, y, z);
}

}  // namespace emulator
