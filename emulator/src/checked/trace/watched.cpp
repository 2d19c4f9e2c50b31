// What the counters do for kernels that are watched: they write down what each access has moved.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "../../engine/worker.h"
#include "../checker.h"
#include "../counters/counters.h"
#include "../host/allocations.h"
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
    if (operation == Operation::fence) return;
    if (operation == Operation::load) {
        moved.after_known = read(event.address, event.bytes, moved.after);
        return;
    }
    moved.before_known = read(event.address, event.bytes, moved.before);
    ++pending_;
}

void Counters::complete() {
    for (; pending_ > 0; --pending_) {
        const std::size_t i = last_->events.size() - pending_;
        const Event& event = last_->events[i];
        Moved& moved = last_->moved[i];
        moved.after_known = read(event.address, event.bytes, moved.after);
        if (sites_[event.site].operation == Operation::store) moved.before = {};  // it was for continues_copy()
    }
}

// Of a statement that copies a vector or a structure from memory to memory, g++ tells of the store before it tells of
// the load, and does both afterwards. Whether the thread is in the middle of one: it has just told of a store of as
// many bytes in the same line, after which nothing has changed. Then the others are not to come in between.
bool Counters::continues_copy(std::size_t bytes, std::uintptr_t code) {
    constexpr std::uintptr_t most_code = 64;  // between the two calls
    copied_ = 0;
    if (pending_ == 0 || last_ != &block_->threads[thread_number(threadIdx)]) return false;
    std::size_t stored = 0;
    std::uintptr_t store = 0;
    for (std::size_t i = last_->events.size() - pending_; i < last_->events.size(); ++i) {
        const Event& event = last_->events[i];
        std::array<unsigned char, Moved::most> now{};
        read(event.address, event.bytes, now);
        const Site& site = sites_[event.site];
        if (site.operation != Operation::store || now != last_->moved[i].before) return false;
        store = site.code;
        stored += event.bytes;
    }
    if (stored != bytes || code - store > most_code) return false;
    const auto [it, is_new] = copies_.try_emplace(code, false);
    if (is_new) it->second = source_line(store - 1) == source_line(code - 1);
    if (it->second) copied_ = pending_;
    return it->second;
}

// The latest loads go before the stores that still wait for what they bring.
void Counters::load_first(unsigned stores, unsigned loads) {
    const auto rotate = [&](auto& list) { std::rotate(list.end() - loads - stores, list.end() - loads, list.end()); };
    rotate(last_->events);
    rotate(last_->moved);
}

void Counters::stored(const void* bytes) {
    if (pending_ == 0) return;
    pending_ = 0;
    std::memcpy(last_->moved.back().after.data(), bytes,
                std::min<std::size_t>(last_->events.back().bytes, Moved::most));
}

// If others have run in between, then only because this one has left everything as it was: it lets them run to wait for
// them.
void Counters::atomic_is_done(const void* before, std::size_t bytes) {
    Thread& own = block_->threads[thread_number(threadIdx)];
    if (block_->traced == nullptr || own.moved.empty()) return;
    const bool others_ran = last_ != &own;
    if (!others_ran) pending_ = 1;
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

// Whether a report's words for a thread, or for several, are these. The first one is meant then.
bool named_thread(const std::string& who, dim3 block_dim, unsigned& thread, uint3& block) {
    uint3 t{};
    const std::size_t first = who.find("first (");
    const std::string name = first == who.npos ? who : "thread " + who.substr(first + 6);
    const int found = std::sscanf(name.c_str(), "thread (%u,%u,%u) of block (%u,%u,%u)", &t.x, &t.y, &t.z, &block.x,
                                  &block.y, &block.z);
    thread = t.x + block_dim.x * (t.y + block_dim.y * t.z);
    return found == 6;
}

bool same_code(std::uintptr_t return_address, std::uintptr_t reported) {
    return static_cast<std::uint32_t>(return_address - 1) == static_cast<std::uint32_t>(reported);
}

// Whether an access is at the memory that is spoken of.
bool is_there(std::uintptr_t address, std::size_t bytes, const Participant& who) {
    return who.bytes == 0 || (address < who.address + who.bytes && who.address < address + bytes);
}

// Where the lane's access was, in the launch that is traced.
std::uintptr_t address_of(const TracedStep::Lane& lane, const TracedBlock& block) {
    const TracedArray& array = Trace::instance().launch()->arrays.all()[lane.array];
    const std::uintptr_t begin = array.memory == Memory::shared ? block.shared + array.begin : array.begin;
    return begin + static_cast<std::uintptr_t>(lane.offset);
}

}  // namespace

// The latest access of that thread at that place to that memory, which is still to become part of a step, or is in one
// already.
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
            if (open != nullptr && each.line != 0)
                marked_next_ = {&open->threads[thread], number, {each.file, each.line}};
            else if (open == nullptr || !mark_open(open->threads[thread], each, number))
                mark_traced(*shown, thread, each, number);
        }
    }
}

bool Counters::mark_open(Thread& thread, const Participant& who, std::uint32_t number) {
    for (std::size_t i = thread.events.size(); i-- > 0;) {
        const Event& event = thread.events[i];
        const Site& site = sites_[event.site];
        // What has failed is no call of ours, but the instruction behind the last one.
        const bool failed = who.bytes != 0 && i + 1 == thread.events.size();
        if ((!failed && !same_code(site.code, who.code)) || site.memory == Memory::none ||
            !is_there(event.address, event.bytes, who))
            continue;
        thread.moved[i].finding = number;
        return true;
    }
    return false;
}

void Counters::mark_traced(const TracedBlock& block, unsigned thread, const Participant& who, std::uint32_t number) {
    const std::size_t warp = thread / lanes_of_warp;
    const unsigned lane = thread % lanes_of_warp;
    for (std::size_t round = block.rounds.size(); round-- > 0;) {
        const std::vector<TracedStep>& steps = block.rounds[round].warps[warp];
        for (std::size_t step = steps.size(); step-- > 0;) {
            const Site& site = sites_[steps[step].site];
            const auto found = std::ranges::find(steps[step].lanes, lane, &TracedStep::Lane::lane);
            if (found != steps[step].lanes.end() && site.memory != Memory::none && same_code(site.code, who.code) &&
                is_there(address_of(*found, block), steps[step].bytes, who))
                return Trace::instance().mark(number, block, round, warp, step, lane);
        }
    }
}

// An index that an array does not have is told of before it is used.
void Counters::mark_if_next(Thread& thread) {
    const auto next = std::exchange(marked_next_, {});
    const SourcePlace place = source_place(sites_[thread.events.back().site].code - 1);
    if (place.name() == next.place.name()) thread.moved.back().finding = next.finding;
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
