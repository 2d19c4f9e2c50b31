#include "counters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "../../engine/worker.h"
#include "../../memory/memory.h"
#include "../../runtime_api/observers.h"
#include "../../runtime_api/ranges.h"
#include "../../settings.h"
#include "../checker.h"
#include "../host/allocations.h"
#include "../host/process_map.h"
#include "../kernel_heap.h"
#include "../trace/trace.h"
#include "emulator/atomics.h"

namespace emulator {

bool counting = false;

namespace {

constexpr std::size_t most_events = std::size_t{1} << 27;  // 2 GiB of them

// No memory or the host's: whoever watches wants to see who goes there.
bool is_wrong(std::uintptr_t address) {
    bool writable = false;
    return !kernel_allocation_at(address) && (!is_host_memory(address, &writable) || writable);
}

}  // namespace

void count_if_asked() {
    watch_if_asked();
    counting =
        watching || value_of<settings::count>() != Counted::nothing || value_of<settings::count_json>() != nullptr;
}

Counters& Counters::instance() {
    static Counters& counters = *new Counters;
    return counters;
}

void Counters::grid_begins(const Grid& grid) {
    grid_ = &grid;
    threads_ = grid.block.x * grid.block.y * grid.block.z;
    lost_ = false;
    Kernel* found = nullptr;
    const std::vector<std::string>& ranges = current_ranges();
    for (const auto& kernel : kernels_)
        if (kernel->run_threads == grid.run_threads && kernel->ranges == ranges) found = kernel.get();
    if (found == nullptr) {
        kernels_.push_back(std::make_unique<Kernel>());
        found = kernels_.back().get();
        found->name = grid.kernel;
        found->ranges = ranges;
        found->run_threads = grid.run_threads;
    }
    kernel_ = found;
    ++kernel_->launches;
    kernel_->blocks += grid.blocks;
    kernel_->threads += grid.blocks * threads_;
    if (watching) Trace::instance().grid_begins(grid, ranges);
}

// Of a block that has ended, and may begin again as another one.
void Counters::take_steps(CountedBlock& block) {
    std::uint64_t all = 0;
    for (unsigned first = 0; first < threads_; first += lanes_of_warp) {
        const auto begin = block.steps.begin() + first;
        const auto end = block.steps.begin() + std::min<unsigned>(first + lanes_of_warp, threads_);
        const std::uint64_t of_warp = std::accumulate(begin, end, std::uint64_t{0}),
                            of_thread = *std::max_element(begin, end);
        all += of_warp;
        steps_.of_lane += of_thread;
        steps_.of_thread = std::max(steps_.of_thread, of_thread);
        steps_.of_warp = std::max(steps_.of_warp, of_warp);
    }
    steps_.all += all;
    steps_.of_block = std::max(steps_.of_block, all);
    block.steps = {};
    block.pieces = {};
}

void Counters::grid_ends() {
    if (grid_->failed && !watching) lost_ = true;  // to watch what came before is what one wants then
    for (const auto& [resident, block] : blocks_) {
        block_ = block.get();
        close_all();
        take_steps(*block);
    }
    kernel_->steps.add(std::exchange(steps_, {}));
    if (watching) Trace::instance().grid_ends(kernel_->code);
    if (lost_ || grid_->failed)
        ++kernel_->lost;
    else
        add_floors();
    touched_.clear();
    blocks_.clear();
    marked_next_ = {};
    block_ = nullptr;
}

void Counters::add_floors() {
    const std::uint64_t read = touched_.read(), written = touched_.written();
    kernel_->read_sectors += read;
    kernel_->written_sectors += written;
    for (std::size_t gpu = 0; gpu < known_gpus.size(); ++gpu) {
        const Floor floor =
            floor_of_launch(known_gpus[gpu], bytes_of_sector * read, bytes_of_sector * written, grid_->blocks);
        kernel_->floors[gpu].seconds += floor.seconds;
        if (floor.seconds <= kernel_->longest[gpu]) continue;
        kernel_->longest[gpu] = floor.seconds;
        kernel_->floors[gpu].limit = floor.limit;
    }
}

void Counters::block_begins(const ResidentBlock& block) {
    std::unique_ptr<CountedBlock>& counted = blocks_[&block];
    if (counted == nullptr) counted = std::make_unique<CountedBlock>();
    CountedBlock* const before = block_;
    block_ = counted.get();
    close_all();
    take_steps(*block_);
    for (unsigned i = 0; i < threads_; ++i) block_->threads[i].site_before = no_site;
    block_->last_warp = 0;
    block_->of_warps = {};
    block_->of_all_warps = {};
    block_->traced = watching ? Trace::instance().block_begins(block.index, block.shared) : nullptr;
    block_ = before;
}

void Counters::block_is_entered(const ResidentBlock& block) {
    resident_ = &block;
    block_ = blocks_.at(&block).get();
}

// Of the block that runs. `of_grid`: all blocks have come to the last one, and this one lets the block's threads go on.
// `with_votes`: threads have told the others something, as with __syncthreads_count().
void Counters::barrier_opens(std::uintptr_t code, bool of_grid, bool with_votes) {
    close_all();
    for (unsigned thread = 0; with_votes && thread < threads_; ++thread) block_->has_worked(thread);
    const std::uint32_t site = number_of({code, 0, 0, Operation::barrier, Memory::none});
    Counts& counts = counts_of(site);
    ++counts.requests;
    counts.lanes += threads_;
    if (block_->traced == nullptr) return;
    if (of_grid)
        Trace::instance().grid_barrier_opens(*block_->traced);
    else
        Trace::instance().barrier(*block_->traced, site);
}

void Counters::lanes_meet(unsigned warp, unsigned lanes, std::uintptr_t code) {
    const unsigned first = warp * lanes_of_warp, last = std::min(threads_ - first, 32u);
    Thread& one = block_->threads[first + static_cast<unsigned>(__builtin_ctz(lanes))];
    const std::uint32_t path = one.path.empty() ? 0 : one.path.back();
    const std::uint32_t site = number_of({code, path, 0, Operation::warp_operation, Memory::none});
    ++meetings_;
    complete();
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        Thread& thread = block_->threads[first + lane];
        thread.events.push_back({meetings_, site, lanes});
        block_->has_worked(first + lane);
        if (block_->traced != nullptr) thread.moved.push_back(exchanged_[lane]);
        ++events_;
    }
    if (block_->traced != nullptr) names_[site] = exchange_;
    if (lanes == 0xffffffff >> (32 - last)) close(warp);
}

void Counters::step() {
    ++block_->pieces[thread_number(threadIdx)];
}

void Counters::fence(std::uintptr_t code) {
    complete();
    add(thread_number(threadIdx), 0, 0, {code, 0, 0, Operation::fence, Memory::none});
}

void Counters::access(std::uintptr_t address, std::size_t bytes, std::size_t piece, Operation operation,
                      std::uintptr_t code) {
    const unsigned stores = std::exchange(copied_, 0);
    Memory memory = memory_of(address);
    if (memory == Memory::none && watching && is_wrong(address)) memory = Memory::global;
    if (memory == Memory::none) return;
    if (memory == Memory::global) {
        touched_.touch(address, bytes, operation != Operation::store, operation != Operation::load);
        tell_observer([&](Observer& told) {
            const auto* at = reinterpret_cast<const void*>(address);
            if (operation != Operation::store) told.kernel_accesses(at, bytes, false);
            if (operation != Operation::load) told.kernel_accesses(at, bytes, true);
        });
    }
    if (stores == 0) complete();
    const unsigned thread = thread_number(threadIdx);
    block_->has_worked(thread);
    block_->steps[thread] += steps_of_access;
    for (std::size_t at = 0; at < bytes; at += piece)
        add(thread, address + at, piece, {code, 0, static_cast<std::uint32_t>(at / piece), operation, memory});
    if (stores != 0 && !lost_) load_first(stores, static_cast<unsigned>((bytes + piece - 1) / piece));
}

void Counters::enter(std::uintptr_t caller) {
    std::vector<std::uint32_t>& path = block_->threads[thread_number(threadIdx)].path;
    if (path.empty()) return path.push_back(0);  // the kernel itself
    std::vector<std::uint32_t>& inner = inner_paths_[caller];
    const std::uint32_t outer = path.back();
    const auto found =
        std::find_if(inner.begin(), inner.end(), [&](std::uint32_t path) { return paths_[path].outer == outer; });
    if (found != inner.end()) return path.push_back(*found);
    paths_.push_back({outer, caller});
    inner.push_back(static_cast<std::uint32_t>(paths_.size() - 1));
    path.push_back(inner.back());
}

void Counters::leave() {
    complete();
    std::vector<std::uint32_t>& path = block_->threads[thread_number(threadIdx)].path;
    if (!path.empty()) path.pop_back();
}

Memory Counters::memory_of(std::uintptr_t address) const {
    if (address - region::begin < region::bytes) return Memory::global;
    if (address - reinterpret_cast<std::uintptr_t>(resident_->shared) < shared_memory_reserved) return Memory::shared;
    const void* const pointer = reinterpret_cast<const void*>(address);
    if (is_variable(pointer)) return is_constant(pointer) ? Memory::constant : Memory::global;
    return pinned_flags(pointer) ? Memory::global : Memory::none;  // a literal, or a table that is the compiler's
}

std::size_t Counters::HashOfSite::operator()(const Site& site) const {
    std::uint64_t hash = site.code;
    hash = hash * 0x9e3779b97f4a7c15 + site.path;
    hash = hash * 0x9e3779b97f4a7c15 + site.piece;
    hash = hash * 0x9e3779b97f4a7c15 + static_cast<unsigned>(site.operation) * 4 + static_cast<unsigned>(site.memory);
    return hash ^ hash >> 32;
}

std::uint32_t Counters::number_of(const Site& site) {
    const auto [it, is_new] = numbers_.try_emplace(site, static_cast<std::uint32_t>(sites_.size()));
    if (is_new) sites_.push_back(site);
    return it->second;
}

void Counters::add(unsigned thread, std::uintptr_t address, std::size_t bytes, Site site) {
    if (lost_) return;
    const unsigned warp = thread / lanes_of_warp;
    if (warp != block_->last_warp) {
        // Threads begin in order: if none of them waits, all those of the warp before have ended.
        if (resident_->parked == 0) close(block_->last_warp);
        block_->last_warp = warp;
    }
    Thread& own = block_->threads[thread];
    if (!own.path.empty()) site.path = own.path.back();
    own.events.push_back({address, number_of(site), static_cast<std::uint32_t>(bytes)});
    if (block_->traced != nullptr) {
        last_ = &own;
        await(site.operation);
        if (marked_next_.thread == &own) mark_if_next(own);
    }
    if (++events_ > most_events) lost_ = true;
}

}  // namespace emulator
