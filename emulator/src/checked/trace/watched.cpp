// What the counters do for kernels that are watched: they write down what each access has moved.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../../engine/worker.h"
#include "../allocations.h"
#include "../checker.h"
#include "../counters.h"
#include "trace.h"

namespace emulator {
namespace {

// Not of an access outside of all allocations, which is about to fail.
bool is_readable(std::uintptr_t address, std::size_t bytes) {
    if (address - region::begin >= region::bytes) return true;
    const ShadowMemory* const shadow = shadow_of(reinterpret_cast<const void*>(address));
    return shadow != nullptr && !shadow->freed && shadow->contains(address, bytes);
}

bool is_written(std::uintptr_t address, std::size_t bytes) {
    const CheckedLaunch& launch = Checker::instance().launch();
    if (launch.is_shared(address)) return launch.block->shared.any_initialised(address, bytes);
    const ShadowMemory* const shadow = shadow_of(reinterpret_cast<const void*>(address));
    return shadow == nullptr || shadow->any_initialised(address, bytes);
}

// Returns whether there is something to read.
bool read(std::uintptr_t address, std::size_t bytes, std::array<unsigned char, Moved::most>& to) {
    if (!is_readable(address, bytes)) return false;
    std::memcpy(to.data(), reinterpret_cast<const void*>(address), std::min(bytes, Moved::most));
    return is_written(address, bytes);
}

}  // namespace

void Counters::await(Operation operation) {
    Moved& moved = last_->moved.emplace_back();
    const Event& event = last_->events.back();
    if (operation == Operation::atomic) moved.before_known = read(event.address, event.bytes, moved.before);
    is_pending_ = operation != Operation::fence;
    if (operation == Operation::load) complete();
}

void Counters::complete() {
    if (!is_pending_) return;
    is_pending_ = false;
    const Event& event = last_->events.back();
    Moved& moved = last_->moved.back();
    moved.after_known = read(event.address, event.bytes, moved.after);
}

void Counters::stored(const void* bytes) {
    if (!is_pending_) return;
    is_pending_ = false;
    std::memcpy(last_->moved.back().after.data(), bytes,
                std::min<std::size_t>(last_->events.back().bytes, Moved::most));
}

// If others have run in between, then only because this one has left everything as it was: it lets them run to wait for
// them.
void Counters::atomic_is_done(const void* before, std::size_t bytes) {
    Thread& own = block_->threads[thread_number(threadIdx)];
    if (block_->traced == nullptr || own.moved.empty()) return;
    const bool others_ran = last_ != &own;
    if (!others_ran) is_pending_ = true;
    complete();
    Moved& moved = own.moved.back();
    std::memcpy(moved.before.data(), before, std::min(bytes, Moved::most));
    if (others_ran) moved.after = moved.before;
    if (others_ran) moved.after_known = moved.before_known;
}

void Counters::lanes_exchange(unsigned lanes, const char* operation, const std::uint64_t* brought,
                              const std::uint64_t* got, const unsigned* sources) {
    exchange_ = operation;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        Moved& moved = exchanged_[lane] = {};
        std::memcpy(moved.before.data(), &brought[lane], sizeof brought[lane]);
        std::memcpy(moved.after.data(), &got[lane], sizeof got[lane]);
        moved.source = sources[lane];
    }
}

void Counters::trace(unsigned warp, const Event* const* lanes, const LaneAddresses& addresses, const Counts& counts) {
    const Moved* moved[lanes_of_warp] = {};
    const Event* any = nullptr;
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        if (lanes[lane] == nullptr) continue;
        any = lanes[lane];
        const Thread& thread = block_->threads[warp * lanes_of_warp + lane];
        moved[lane] = &thread.moved[static_cast<std::size_t>(any - thread.events.data())];
    }
    const Site& site = sites_[any->site];
    const bool meets = site.operation == Operation::warp_operation;
    Trace::instance().step(*block_->traced, warp, any->site, site.memory, meets ? 0 : any->bytes, counts, addresses,
                           moved);
}

// ------------------------------------------------------------------------------------------------------- findings

namespace {

// Whether a report's words for a thread, as CheckedLaunch::who() makes them, are these.
bool named_thread(const std::string& who, dim3 block_dim, unsigned& thread, uint3& block) {
    uint3 t{};
    const int found = std::sscanf(who.c_str(), "thread (%u,%u,%u) of block (%u,%u,%u)", &t.x, &t.y, &t.z, &block.x,
                                  &block.y, &block.z);
    thread = t.x + block_dim.x * (t.y + block_dim.y * t.z);
    return found == 6;
}

bool same_code(std::uintptr_t return_address, std::uintptr_t reported) {
    return static_cast<std::uint32_t>(return_address - 1) == static_cast<std::uint32_t>(reported);
}

}  // namespace

// The latest access of that thread at that place, which is still to become part of a step, or is in one already.
void Counters::mark(const Finding& finding, std::uint32_t number) {
    const TracedLaunch* const launch = Trace::instance().launch();
    if (launch == nullptr) return;
    for (const Participant& each : finding.participants) {
        unsigned thread = 0;
        uint3 index{};
        if (!named_thread(each.who, launch->block, thread, index)) continue;
        for (const auto& shown : launch->shown) {
            if (shown->index.x != index.x || shown->index.y != index.y || shown->index.z != index.z) continue;
            CountedBlock* open = nullptr;
            for (const auto& [resident, block] : blocks_)
                if (block->traced == shown.get()) open = block.get();
            if (open == nullptr || !mark_open(open->threads[thread], each.code, number))
                mark_traced(*shown, thread, each.code, number);
        }
    }
}

bool Counters::mark_open(Thread& thread, std::uintptr_t code, std::uint32_t number) {
    for (std::size_t i = thread.events.size(); i-- > 0;) {
        if (!same_code(sites_[thread.events[i].site].code, code)) continue;
        thread.moved[i].finding = number;
        return true;
    }
    return false;
}

void Counters::mark_traced(const TracedBlock& block, unsigned thread, std::uintptr_t code, std::uint32_t number) {
    const std::size_t warp = thread / lanes_of_warp;
    const unsigned lane = thread % lanes_of_warp;
    for (std::size_t round = block.rounds.size(); round-- > 0;) {
        const std::vector<TracedStep>& steps = block.rounds[round].warps[warp];
        for (std::size_t step = steps.size(); step-- > 0;)
            if (same_code(sites_[steps[step].site].code, code) &&
                std::ranges::find(steps[step].lanes, lane, &TracedStep::Lane::lane) != steps[step].lanes.end())
                return Trace::instance().mark(number, block, round, warp, step, lane);
    }
}

std::vector<TracedSite> Counters::traced_sites() const {
    std::vector<std::uintptr_t> codes;
    for (const Site& site : sites_) codes.push_back(site.code - 1);
    const std::vector<SourcePlace> places = source_places(codes);
    std::vector<TracedSite> sites;
    for (std::uint32_t i = 0; i < sites_.size(); ++i) {
        const auto name = names_.find(i);
        sites.push_back({sites_[i].operation, sites_[i].memory, name == names_.end() ? "" : name->second,
                         program_place(sites_[i], places[i])});
    }
    return sites;
}

}  // namespace emulator
