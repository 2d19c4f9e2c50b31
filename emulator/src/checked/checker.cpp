#include "checker.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "../reports/source_places.h"
#include "../engine/worker.h"
#include "allocations.h"
#include "counters.h"
#include "emulator/atomics.h"
#include "../reports/error_state.h"
#include "local_arrays.h"
#include "places.h"

namespace emulator {

__thread Checker* active_checker;
__thread StackRange own_stack;

// ------------------------------------------------------------------------------------------------------------- words

namespace {

const char* const past_end =
    "Often the index was not compared with the number of elements, or with <= where < was meant.";

Touch touch_of(Access access) {
    return static_cast<Touch>(access.touch);
}

bool is_atomic(Access access) {
    return touch_of(access) == Touch::atomic || touch_of(access) == Touch::atomic_in_block;
}

}  // namespace

// ------------------------------------------------------------------------------------------------------------- blocks

CheckedBlock::CheckedBlock(char* shared_memory)
    : shared(reinterpret_cast<std::uintptr_t>(shared_memory), shared_memory_reserved, false) {
    std::memset(seen, 0, sizeof seen);
    std::fill(std::begin(polled), std::end(polled), 0);
    std::fill(std::begin(polled_at), std::end(polled_at), 0);
    std::fill(std::begin(polled_address), std::end(polled_address), 0);
}

Checker& Checker::instance() {
    static Checker& checker = *new Checker;
    return checker;
}

void Checker::grid_begins(const Grid& grid) {
    grid_ = &grid;
    first_block_ = next_number_;
    next_number_ += grid.blocks;
    forget_what_was_told();
    forget_local_arrays();
    polling_.clear();
    copies_.clear();
    variables_.clear();
    dynamic_shared_ = {};
    launch_is_over_ = false;
    told_of_ = ~std::uintptr_t{0} / 2;
    pending_.shadow = nullptr;
    active_checker = this;
    count_launch();
    if (counting) Counters::instance().grid_begins(grid);
}

void Checker::forget_what_was_told() {
    releases_.clear();
    known_.clear();
    told_.clear();
}

void Checker::grid_ends() {
    settle();
    if (counting) Counters::instance().grid_ends();
    tell_guesses();
    launch_is_over_ = true;
    for (const Lockstep& each : lockstep_)
        if (waiting_loops_.count(each.before.code) == 0 && waiting_loops_.count(each.now.code) == 0)
            race(each.before, each.before_wrote, each.now, each.now_writes, each.address, 4);
    lockstep_.clear();
    tell_suspicions();
    active_checker = nullptr;
}

// What happened before is ordered before what comes, as by a new launch.
void Checker::grid_barrier_opens() {
    settle();
    first_block_ = next_number_;
    next_number_ += grid_->blocks;
    forget_what_was_told();
}

void Checker::block_begins(ResidentBlock& resident) {
    if (counting) Counters::instance().block_begins(resident);
    if (resident.checked == nullptr) resident.checked = std::make_unique<CheckedBlock>(resident.shared);
    CheckedBlock& block = *resident.checked;
    const dim3 grid = grid_->grid;
    block.number = first_block_ + resident.index.x +
                   std::uint64_t{grid.x} * (resident.index.y + std::uint64_t{grid.y} * resident.index.z);
    block.phase = 0;
    if (block.clocks_used) std::memset(block.seen, 0, sizeof block.seen);
    if (block.fences_used) std::fill(std::begin(block.fences), std::end(block.fences), CheckedBlock::Fence{});
    if (block.polled_used) {
        std::fill(std::begin(block.polled), std::end(block.polled), 0);
        std::fill(std::begin(block.polled_at), std::end(block.polled_at), 0);
    }
    block.polled_by_all = 0;
    block.clocks_used = block.fences_used = block.polled_used = false;
    block.fenced_now = block.fenced_now_for_all = block.fenced_before = block.fenced_before_for_all = false;
    std::fill(std::begin(block.barrier_seen), std::end(block.barrier_seen), 0);
    block.at_barrier = 0;
    std::fill(std::begin(block.ended), std::end(block.ended), 0);
    std::fill(std::begin(block.in_operation), std::end(block.in_operation), 0);
    for (const CheckedBlock::Variable& v : variables_)
        block.shared.set_initialised(block.shared.begin() + v.begin, v.bytes, false);
    block.shared.set_initialised(block.shared.begin() + dynamic_shared_begin, grid_->dynamic_shared, false);
}

void Checker::block_is_entered(ResidentBlock& block) {
    settle();
    if (counting) Counters::instance().block_is_entered(block);
    tell_guesses();
    block_ = block.checked.get();
    // After the grid's barrier the block counts as a new one.
    if (block_->number < first_block_)
        block_->number += (first_block_ - block_->number + grid_->blocks - 1) / grid_->blocks * grid_->blocks;
    shared_ = block.shared;
    last_shared_ = {};
}

// A plain load of what others change atomically is fine as a first guess, for an atomic operation that sees whether it
// was right; else it is a race. Here only in shared memory: a look at a counter of the whole grid is a usual hint.
void Checker::tell_guesses() {
    for (const Guess& g : guesses_)
        if (!guess_codes_.contains(g.read.code)) race(g.change, true, g.read, false, g.shadow->begin() + 4 * g.word, 4);
    guesses_.clear();
}

void Checker::barrier_opens(ResidentBlock& resident) {
    settle();
    tell_guesses();
    CheckedBlock& block = *resident.checked;
    if (counting) Counters::instance().barrier_opens(block.barrier_code);
    const unsigned threads = grid_->block.x * grid_->block.y * grid_->block.z;
    if (block.at_barrier < threads && is_new(Kind::divergent_barrier, block.barrier_code)) {
        unsigned absent = 0;
        while ((block.barrier_seen[absent / 64] >> absent % 64 & 1) != 0) ++absent;
        report(
            {Kind::divergent_barrier,
             grid_->kernel,
             {{std::to_string(block.at_barrier) + " of the " + std::to_string(threads) + " threads of block " +
                   index(resident.index) + ", thread " + index(index_in(block.first_at_barrier, grid_->block)) +
                   " first,",
               "wait", block.barrier_code - 1}},
             "The others, thread " + index(index_in(absent, grid_->block)) + " first, have ended without coming there.",
             "All threads of a block have to come to each barrier: often some return before it, or skip it in an if."});
    }
    std::fill(std::begin(block.barrier_seen), std::end(block.barrier_seen), 0);
    block.at_barrier = 0;
    if (block.clocks_used) std::memset(block.seen, 0, sizeof block.seen);
    block.clocks_used = false;
    if (block.polled_used)
        block.polled_by_all =
            std::max(block.polled_by_all, *std::max_element(std::begin(block.polled), std::end(block.polled)));
    if (block.fenced_now) {
        block.fenced_before = true;
        block.fenced_before_for_all |= block.fenced_now_for_all;
        block.fenced_phase = block.phase;
    }
    block.fenced_now = block.fenced_now_for_all = false;
    ++block.phase;
}

// All threads of the block have to be at the same barrier: which line it is in, that is, since the compiler may have
// made two of one.
void Checker::thread_is_at_barrier(ResidentBlock& resident, std::uintptr_t code) {
    CheckedBlock& block = *resident.checked;
    if (was_polling()) poll_again();
    const unsigned thread = thread_number(threadIdx);
    block.barrier_seen[thread / 64] |= std::uint64_t{1} << thread % 64;
    if (block.at_barrier++ == 0) {
        block.barrier_code = code;
        block.first_at_barrier = thread;
    } else if (code != block.barrier_code && is_new(Kind::divergent_barrier, block.barrier_code, code)) {
        if (source_line(code - 1) == source_line(block.barrier_code - 1)) return;
        report(
            {Kind::divergent_barrier,
             grid_->kernel,
             {{"thread " + index(index_in(block.first_at_barrier, grid_->block)) + " of block " + index(resident.index),
               "waits", block.barrier_code - 1},
              {who(), "waits", code - 1}},
             "Two barriers were released as if they were one.",
             "All threads of a block have to come to the same barrier: often one stands in an if, or in a loop that "
             "some threads leave earlier."});
    }
}

// A lane is about to take part in an operation of the lanes in the mask.
void Checker::lane_is_at(ResidentBlock& resident, unsigned warp, unsigned mask, std::uintptr_t code) {
    CheckedBlock& block = *resident.checked;
    if (was_polling()) poll_again();
    const unsigned thread = thread_number(threadIdx);
    block.operations[thread] = {mask, code};
    block.in_operation[warp] |= 1u << thread % 32;
    if ((mask & block.ended[warp]) != 0)
        absent_lane(mask, code, warp * 32 + static_cast<unsigned>(__builtin_ctz(mask & block.ended[warp])), who());
}

// A lane that has not left the kernel before, and is named by a mask of others, was to come to where they wait.
void Checker::end_of_kernel() {
    settle();
    CheckedBlock& block = *block_;
    const unsigned thread = thread_number(threadIdx), warp = thread / 32, bit = 1u << thread % 32;
    block.ended[warp] |= bit;
    for (unsigned rest = block.in_operation[warp] & ~bit; rest != 0; rest &= rest - 1) {
        const unsigned other = 32 * warp + static_cast<unsigned>(__builtin_ctz(rest));
        const CheckedBlock::LastOperation& operation = block.operations[other];
        if ((operation.mask & bit) != 0)
            return absent_lane(operation.mask, operation.code, thread,
                               "thread " + index(index_in(other, grid_->block)) + " of block " + index(blockIdx));
    }
}

void Checker::absent_lane(unsigned mask, std::uintptr_t code, unsigned absent, const std::string& caller) {
    if (!is_new(Kind::warp_mask, code)) return;
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    report(
        {Kind::warp_mask,
         grid_->kernel,
         {{caller, std::string("names the lanes ") + text, code - 1}},
         "Thread " + index(index_in(absent, grid_->block)) + ", lane " + std::to_string(absent % 32) +
             ", is named but never comes there.",
         "The mask has to name the lanes that make the call: often 0xffffffff stands in an if that some lanes skip."});
}

// By a shuffle.
void Checker::lane_asks_absent(unsigned warp, unsigned lane, unsigned absent, unsigned mask, std::uintptr_t code) {
    absent_lane(mask, code, 32 * warp + absent,
                "thread " + index(index_in(32 * warp + lane, grid_->block)) + " of block " + index(blockIdx));
}

void Checker::lane_is_not_in_mask(const std::string& operation, std::uintptr_t code) {
    report({Kind::warp_mask,
            grid_->kernel,
            {{who(), "calls " + operation.substr(0, operation.find(" at ")), code - 1}},
            "The mask does not name its own lane " + std::to_string(thread_number(threadIdx) % 32) + ".",
            "The mask has to name the lanes that make the call."});
}

// Where the threads of the blocks that have begun wait, those at one place together.
void Checker::deadlock(const std::vector<Fiber*>& fibers, const char* what) {
    settle();
    struct Crowd {
        const Fiber* first;
        std::uintptr_t code;
        std::string what;
        unsigned threads = 0;
    };
    std::map<std::string, Crowd> crowds;
    for (const Fiber* fiber : fibers) {
        if (!fiber->parked) continue;
        // A loop is known by what it looks at.
        const uint3 thread = fiber->thread;
        const unsigned number = thread.x + grid_->block.x * (thread.y + grid_->block.y * thread.z);
        const std::uintptr_t looks = static_cast<const ResidentBlock*>(fiber->block)->checked->polled_at[number];
        const bool in_loop = fiber->place.operation == WarpOperation::spin && looks != 0;
        const auto code = in_loop ? looks : reinterpret_cast<std::uintptr_t>(fiber->place.code);
        const std::string place = describe(fiber->place), what = place.substr(0, place.find(" at "));
        Crowd& crowd = crowds[what + source_line(code - 1)];
        if (crowd.threads++ == 0) crowd = {fiber, code, what, 1};
    }
    bool in_loops = false, in_operations = false;
    for (const Fiber* fiber : fibers) {
        if (!fiber->parked) continue;
        in_loops |= fiber->place.operation == WarpOperation::spin;
        in_operations |=
            fiber->place.operation == WarpOperation::sync || fiber->place.operation > WarpOperation::lockstep;
    }
    // The lanes that an operation waits for wait elsewhere.
    const bool masks = in_operations && !in_loops;
    Finding finding{
        masks ? Kind::warp_mask : Kind::deadlock, grid_->kernel, {}, std::string("In a deadlock, ") + what + ".", ""};
    for (const auto& [place, crowd] : crowds) {
        const std::string first = index(crowd.first->thread) + " of block " + index(crowd.first->block->index) + ",";
        if (crowd.threads == 1)
            finding.deeds.push_back({"thread " + first, "waits in " + crowd.what, crowd.code - 1});
        else
            finding.deeds.push_back(
                {std::to_string(crowd.threads) + " threads, first " + first, "wait in " + crowd.what, crowd.code - 1});
    }
    std::stable_sort(finding.deeds.begin(), finding.deeds.end(), [](const Deed& a, const Deed& b) {
        return (a.what.find("_sync()") != a.what.npos || a.what.find("__syncwarp") != a.what.npos) >
               (b.what.find("_sync()") != b.what.npos || b.what.find("__syncwarp") != b.what.npos);
    });
    finding.cause =
        "Often a barrier or a warp's operation stands where not all of its threads come, or a lane holds the lock that "
        "the others of its warp wait for.";
    report(finding);
}

// What no access told of: an address that is in no memory of the device.
void Checker::fault(std::uintptr_t address, bool write, std::uintptr_t code, bool is_stack_overflow) {
    active_checker = nullptr;  // What we do from here on is not the kernel's.
    if (is_stack_overflow) {
        report({Kind::stack_overflow,
                grid_->kernel,
                {{who(), "overflows its stack", code}},
                "",
                "Often a recursion that does not end, or a local array that is too large."});
        return;
    }
    if (address - told_of_ < 32) return;  // a part of it
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", std::size_t{address});
    const std::string neighbour = describe_address(address);
    report({Kind::out_of_bounds,
            grid_->kernel,
            {{who(), std::string(write ? "writes" : "reads") + " at address " + text, code}},
            neighbour.empty() ? "Nothing is there." : "That is " + neighbour + ".",
            address < 4096 ? "Often a pointer is null since cudaMalloc() failed, or was never called."
                           : "Often the index was not compared with the number of elements."});
}

void Checker::lanes_meet(ResidentBlock& resident, unsigned warp, unsigned lanes) {
    settle();
    CheckedBlock& block = *resident.checked;
    if (counting) Counters::instance().lanes_meet(warp, lanes, block.operations[32 * warp + __builtin_ctz(lanes)].code);
    block.clocks_used = true;
    auto& seen = block.seen[warp];
    std::uint16_t known[32] = {};
    std::uint64_t polled = 0;
    block.in_operation[warp] &= ~lanes;
    for (unsigned j = 0; j < 32; ++j) {
        if ((lanes >> j & 1) == 0) continue;
        if (seen[j][j] < Access::last_clock) ++seen[j][j];
        for (unsigned i = 0; i < 32; ++i) known[i] = std::max(known[i], seen[j][i]);
        polled = std::max(polled, block.polled[32 * warp + j]);
    }
    for (unsigned j = 0; j < 32; ++j) {
        if ((lanes >> j & 1) == 0) continue;
        std::copy(std::begin(known), std::end(known), seen[j]);
        block.polled[32 * warp + j] = polled;
    }
    if (!block.fences_used) return;
    // What lay before the fence of one of them does so for all.
    CheckedBlock::Fence together;
    for (unsigned j = 0; j < 32; ++j)
        if ((lanes >> j & 1) != 0) together.join(block.fences[32 * warp + j]);
    for (unsigned j = 0; j < 32; ++j)
        if ((lanes >> j & 1) != 0) block.fences[32 * warp + j] = together;
}

void CheckedBlock::Fence::join(const Fence& other) {
    if (!other.any) return;
    if (!any || other.phase > phase) {
        const bool all = any && for_all_blocks;
        *this = other;
        for_all_blocks |= all;
        return;
    }
    for_all_blocks |= other.for_all_blocks;
    if (other.phase == phase)
        for (unsigned i = 0; i < lanes; ++i) seen[i] = std::max(seen[i], other.seen[i]);
}

void Checker::shared_variable(std::size_t begin, std::size_t bytes, const DescribedVariable& type) {
    const auto same = [&](const CheckedBlock::Variable& v) { return v.begin == begin; };
    if (std::any_of(variables_.begin(), variables_.end(), same)) return;
    variables_.push_back({begin, bytes, type});
    block_->shared.set_initialised(block_->shared.begin() + begin, bytes, false);
}

// ---------------------------------------------------------------------------------------------------------- accesses

namespace {

template <class T>
T value_of(const void* address) {
    T value;
    std::memcpy(&value, address, sizeof value);
    return value;
}

// Up to 16 bytes; the rest is 0. What fits stays in a register: stored in pieces and loaded whole it would cost more
// than all the rest.
[[gnu::always_inline]] inline Checker::Value value_at(std::uintptr_t address, std::size_t bytes) {
    const auto* from = reinterpret_cast<const void*>(address);
    switch (bytes) {
        case 1:
            return {value_of<std::uint8_t>(from), 0};
        case 2:
            return {value_of<std::uint16_t>(from), 0};
        case 4:
            return {value_of<std::uint32_t>(from), 0};
        case 8:
            return {value_of<std::uint64_t>(from), 0};
        case 16:
            return value_of<Checker::Value>(from);
        default: {
            Checker::Value value;
            std::memcpy(&value, from, bytes);
            return value;
        }
    }
}

}  // namespace

[[gnu::always_inline]] inline Access Checker::present(Touch touch, std::uintptr_t code) const {
    const unsigned thread = thread_number(threadIdx);
    const std::uint64_t clock = block_->clocks_used ? block_->clock(thread) : 0u;
    // The bit-fields of Access put together by hand: stored one by one and loaded whole they would cost more than all
    // the rest.
    const std::array<std::uint64_t, 2> access = {
        block_->number | std::uint64_t{thread} << 36 | clock << 46 | std::uint64_t{static_cast<unsigned>(touch)} << 58,
        block_->phase | std::uint64_t{static_cast<std::uint32_t>(code)} << 32};
    return std::bit_cast<Access>(access);
}

// Of what nearly every access is to: a live allocation that all the bytes are in, or the shared variable that was
// touched last, at a multiple of as many bytes. Null if it is none of these.
[[gnu::always_inline]] inline Shadow* Checker::usual_shadow(std::uintptr_t address, std::size_t bytes) const {
    if ((address & (bytes - 1)) != 0) return nullptr;
    if (address - region::begin < region::bytes) {
        Shadow* shadow = region::owners[(address - region::begin) / region::granule];
        return shadow != nullptr && !shadow->freed && shadow->contains(address, bytes) ? shadow : nullptr;
    }
    const std::uintptr_t at = address - last_shared_.begin;
    return at < last_shared_.bytes && bytes <= last_shared_.bytes - at ? &block_->shared : nullptr;
}

template <bool writes, std::size_t known_bytes>
void Checker::access(std::uintptr_t address, std::size_t bytes, Touch touch, std::uintptr_t code, bool at_once) {
    if (known_bytes != 0) bytes = known_bytes;
    settle();
    if (was_polling()) poll_again();
    if (!writes && touch == Touch::through_volatile) {
        poll(address, code);
        polling_.push_back(present_thread());
    }
    if (writes && touch == Touch::through_volatile) {
        release(address);
        // Behind a fence it raises a flag or frees a lock, for lanes of its own warp too. Warp-synchronous code of the
        // old days has no fences.
        const CheckedBlock::Fence& fence = block_->fences[thread_number(threadIdx)];
        if (fence.any && fence.phase == block_->phase) touch = Touch::atomic;
    }
    Shadow* shadow = usual_shadow(address, bytes);
    if (shadow == nullptr) shadow = shadow_at({address, bytes, writes, code}, at_once);
    if (shadow == nullptr) return;
    const Access by = present(touch, code);
    if constexpr (!writes) {
        if (!shadow->any_initialised(address, bytes)) check_initialised(address, bytes, code);
        read(*shadow, address, bytes, by);
    } else if (bytes <= sizeof pending_.before) {
        pending_.address = address;
        pending_.bytes = bytes;
        pending_.by = by;
        // A freed or strayed-to byte cannot be read, and neither can be one that the access itself will open.
        pending_.shadow = shadow;
        pending_.before = value_at(address, bytes);
    } else {
        write(*shadow, address, bytes, by);
        shadow->set_initialised(address, bytes);
    }
}
#define ACCESSES(n)                                                                                    \
    template void Checker::access<false, n>(std::uintptr_t, std::size_t, Touch, std::uintptr_t, bool); \
    template void Checker::access<true, n>(std::uintptr_t, std::size_t, Touch, std::uintptr_t, bool);
ACCESSES(0)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
#undef ACCESSES

void Checker::copies_are_group() {
    Copies& copies = copies_[present_thread()];
    copies.groups.push_back(std::move(copies.open));
    copies.open.clear();
}

void Checker::copies_are_awaited(std::size_t all_but) {
    Copies& copies = copies_[present_thread()];
    for (; copies.groups.size() > all_but; copies.groups.pop_front())
        for (const Copy& c : copies.groups.front()) {
            const std::size_t bytes = c.bytes - c.zeros;
            if (bytes > 0) access<false, 0>(c.from, bytes, Touch::plain, c.code, false);
            access<true, 0>(c.to, c.bytes, Touch::plain, c.code, false);
            auto* to = reinterpret_cast<char*>(c.to);
            std::memcpy(to, reinterpret_cast<const void*>(c.from), bytes);
            std::memset(to + bytes, 0, c.zeros);
        }
}

// In the present thread's stack.
template <bool writes>
void Checker::local_access(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    unsigned char* known = knowledge_of(address);
    const Uninterrupted here;
    if (std::find(known, known + bytes, gap) != known + bytes) {
        accuse(Kind::out_of_bounds, {address, bytes, writes, code}, "", past_end);
        return;
    }
    if constexpr (writes) {
        std::memset(known, fine, bytes);
    } else {
        const auto* values = reinterpret_cast<const unsigned char*>(address);
        if (std::find_if(known, known + bytes, [](unsigned char b) { return b != unwritten; }) == known + bytes &&
            std::find_if(values, values + bytes, [](unsigned char b) { return b != local_poison; }) == values + bytes)
            suspect_uninitialised(address, bytes, code);
    }
}
template void Checker::local_access<false>(std::uintptr_t, std::size_t, std::uintptr_t);
template void Checker::local_access<true>(std::uintptr_t, std::size_t, std::uintptr_t);

void Checker::atomic(std::uintptr_t address, std::size_t bytes, Touch touch, std::uintptr_t code) {
    settle();
    poll(address, code);
    release(address);
    Shadow* shadow = shadow_at({address, bytes, true, code}, true);
    if (shadow == nullptr) return;
    if (!shadow->any_initialised(address, bytes)) check_initialised(address, bytes, code);
    write(*shadow, address, bytes, present(touch, code));
    shadow->set_initialised(address, bytes);
}

// A store that leaves everything as it was, like the flag that many threads set, conflicts with nothing.
void Checker::settle_write() {
    const PendingWrite& w = pending_;
    Shadow& shadow = *std::exchange(pending_.shadow, nullptr);
    const Value now = value_at(w.address, w.bytes);
    const bool changed = now.low != w.before.low || now.high != w.before.high;
    if (changed || !shadow.any_initialised(w.address, w.bytes)) write(shadow, w.address, w.bytes, w.by);
    shadow.set_initialised(w.address, w.bytes);
}

namespace {

/// Calls f(word, bytes of it as a mask) for each word of the shadow that [address, address + bytes) touches.
template <class F>
[[gnu::always_inline]] inline void for_each_word(const Shadow& shadow, std::uintptr_t address, std::size_t bytes,
                                                 const F& f) {
    const std::size_t first = address - shadow.begin(), end = first + bytes;
    if (bytes == 4 && first % 4 == 0) return f(first / 4, 0xf);
    if (bytes == 1) return f(first / 4, 1u << first % 4);
    for (std::size_t word = first / 4; 4 * word < end; ++word) {
        unsigned mask = 0xf;
        if (4 * word < first) mask &= 0xfu << (first - 4 * word);
        if (4 * word + 4 > end) mask &= 0xfu >> (4 * word + 4 - end);
        f(word, mask);
    }
}

[[gnu::always_inline]] inline Access with_bytes(Access access, unsigned mask) {
    auto words = std::bit_cast<std::array<std::uint64_t, 2>>(access);
    words[0] = (words[0] & ~std::uint64_t{0} >> 4) | std::uint64_t{mask} << 60;
    return std::bit_cast<Access>(words);
}

inline bool same_thread(Access a, Access b) {
    return a.block == b.block && a.thread == b.thread;
}

bool same_warp(Access a, Access b) {
    return a.block == b.block && a.thread / 32 == b.thread / 32;
}

bool is_volatile(Access access) {
    return touch_of(access) == Touch::through_volatile;
}

// Whether two accesses that nothing orders, one of them a write, go wrong. What goes through volatile is meant to be
// seen by others. Only within a warp, and in shared memory, it was also a way to do without barriers, as long as lanes
// ran in lockstep: until 2017.
bool conflict(Access a, Access b, bool in_shared_memory) {
    if (is_atomic(a) && is_atomic(b))
        return a.block != b.block && (touch_of(a) == Touch::atomic_in_block || touch_of(b) == Touch::atomic_in_block);
    if (is_volatile(a) || is_volatile(b)) return in_shared_memory && same_warp(a, b) && !is_atomic(a) && !is_atomic(b);
    return true;
}

}  // namespace

[[gnu::always_inline]] inline void Checker::read(Shadow& shadow, std::uintptr_t address, std::size_t bytes,
                                                 Access access) {
    for_each_word(
        shadow, address, bytes, [&](std::size_t word, unsigned mask) __attribute__((always_inline)) {
            const Access by = with_bytes(access, mask);
            const Access written = shadow.last_write(word);
            if (written.block >= first_block_ && (written.bytes & mask) != 0 && !same_thread(written, by) &&
                conflict(written, by, &shadow == &block_->shared) && !ordered(shadow, written, by)) {
                if (!is_atomic(written))
                    race(written, true, by, false, shadow.begin() + 4 * word, 4);
                else if (&shadow == &block_->shared)
                    guesses_.push_back({&shadow, word, written, by});
            }
            Access* reads = shadow.last_reads(word);
            if (!same_thread(reads[0], by)) reads[1] = reads[0];
            reads[0] = by;
        });
}

inline void Checker::write(Shadow& shadow, std::uintptr_t address, std::size_t bytes, Access access) {
    for_each_word(
        shadow, address, bytes, [&](std::size_t word, unsigned mask) __attribute__((always_inline)) {
            const Access by = with_bytes(access, mask);
            Access& written = shadow.last_write(word);
            const auto clashes = [&](Access before) __attribute__((always_inline)) {
                return before.block >= first_block_ && (before.bytes & mask) != 0 && !same_thread(before, by) &&
                       conflict(before, by, &shadow == &block_->shared) && !ordered(shadow, before, by);
            };
            const Access* reads = shadow.last_reads(word);
            if (is_atomic(by))
                for (const Access* r : {reads, reads + 1})
                    if (same_thread(*r, by) && r->phase == by.phase) guess_codes_.insert(r->code);
            if (is_atomic(by) && !guesses_.empty())
                std::erase_if(guesses_, [&](const Guess& g) {
                    return g.shadow == &shadow && g.word == word && same_thread(g.read, by);
                });
            if (clashes(written)) {
                race(written, true, by, true, shadow.begin() + 4 * word, 4);
            } else if (!is_atomic(by)) {
                for (const Access* r : {reads, reads + 1})
                    if (clashes(*r)) {
                        race(*r, false, by, true, shadow.begin() + 4 * word, 4);
                        break;
                    }
            }
            // Whoever took a lock by an atomic operation may free it by a plain store behind a fence.
            const bool frees = touch_of(by) == Touch::plain && is_atomic(written) && same_thread(written, by) &&
                               block_->fences[by.thread].any;
            written = by;
            if (frees) {
                written.touch = static_cast<unsigned>(Touch::atomic);
                release(shadow.begin() + 4 * word);
            }
        });
}

// ------------------------------------------------------------------------------------------------------------- order

bool Checker::ordered(const Shadow& shadow, Access before, Access now) const {
    // The memory of another block that is there no more.
    if (before.block != now.block && &shadow == &block_->shared) return true;
    if (before.clock == Access::last_clock) return true;
    if (before.block == now.block) {
        if (before.phase < now.phase) return true;
        if (before.thread / 32 == now.thread / 32) {
            const unsigned warp = now.thread / 32;
            if (block_->seen[warp][now.thread % 32][before.thread % 32] > before.clock) return true;
        }
    }
    return handed_over(before, now);
}

bool Checker::handed_over(Access before, Access now) const {
    const auto found = releases_.find(before.block);
    if (found == releases_.end()) return false;
    const std::uint64_t polled = std::max(block_->polled[now.thread], block_->polled_by_all);
    const bool elsewhere = before.block != now.block;
    std::size_t known = found->second.size();
    if (elsewhere && few_blocks()) {
        const auto knows = known_.find(now.block);
        const auto of_it = knows == known_.end() ? Knowledge::const_iterator{} : knows->second.find(before.block);
        known = knows == known_.end() || of_it == knows->second.end() ? 0 : of_it->second;
    }
    const auto end = found->second.begin() + static_cast<std::ptrdiff_t>(known);
    return std::any_of(found->second.begin(), end, [&](const Release& r) {
        if (r.time >= polled) return false;
        if (r.fence.any && (!elsewhere || r.fence.for_all_blocks)) {
            if (before.phase < r.fence.phase) return true;
            if (before.phase == r.fence.phase && before.thread / 32 == r.thread / 32 &&
                r.fence.seen[before.thread % 32] > before.clock)
                return true;
        }
        return r.inherited && (!elsewhere || r.inherited_for_all) && before.phase <= r.inherited_phase;
    });
}

void Checker::fence(bool for_all_blocks) {
    settle();
    if (was_polling()) poll_again();
    CheckedBlock& block = *block_;
    const unsigned thread = thread_number(threadIdx), warp = thread / 32, lane = thread % 32;
    block.clocks_used = block.fences_used = true;
    std::uint16_t& clock = block.clock(thread);
    if (clock < Access::last_clock) ++clock;
    CheckedBlock::Fence& fence = block.fences[thread];
    fence.any = true;
    fence.for_all_blocks |= for_all_blocks;
    fence.phase = block.phase;
    std::copy(std::begin(block.seen[warp][lane]), std::end(block.seen[warp][lane]), fence.seen);
    block.fenced_now = true;
    block.fenced_now_for_all |= for_all_blocks;
}

// The present thread may tell others by what it is about to do that it is behind a fence.
void Checker::release(std::uintptr_t address) {
    const CheckedBlock& block = *block_;
    const unsigned thread = thread_number(threadIdx);
    const CheckedBlock::Fence& fence = block.fences[thread];
    if (!fence.any && !block.fenced_before) return;
    std::vector<Release>& releases = releases_[block.number];
    releases.push_back({++time_, thread, fence, block.fenced_before, block.fenced_before_for_all, block.fenced_phase});
    if (!few_blocks()) return;
    Knowledge& known = known_[block.number];
    known[block.number] = releases.size();
    learn(told_[address], known);
}

// Which blocks know of which is followed as long as that is a small table.
bool Checker::few_blocks() const {
    return grid_->blocks <= 1024;
}

void Checker::learn(Knowledge& pupil, const Knowledge& teacher) {
    for (const auto& [block, releases] : teacher) {
        std::size_t& known = pupil[block];
        known = std::max(known, releases);
    }
}

std::uint64_t Checker::present_thread() const {
    return block_->number << 10 | thread_number(threadIdx);
}

// Whether the last thing that was heard of this thread was that it would look at something volatile.
bool Checker::was_polling() {
    if (polling_.empty()) return false;
    return std::erase(polling_, present_thread()) > 0;
}

bool Checker::has_looked(const volatile void* address, std::size_t bytes, const void* code) {
    Look now{present_thread(), address, code};
    std::memcpy(now.found, const_cast<const void*>(address), bytes);
    const bool same = now.thread == last_look_.thread && now.address == last_look_.address &&
                      now.code == last_look_.code && std::memcmp(now.found, last_look_.found, bytes) == 0;
    last_look_ = now;
    if (same) waiting_loops_.insert(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code)));
    return same;
}

// The present thread sees what others have done before they told it by this address.
void Checker::poll(std::uintptr_t address, std::uintptr_t code) {
    const unsigned thread = thread_number(threadIdx);
    block_->polled_used = true;
    block_->polled_at[thread] = code;
    block_->polled_address[thread] = address;
    poll_again();
}

// What was there may have been written until now: others had their turn.
void Checker::poll_again() {
    const unsigned thread = thread_number(threadIdx);
    block_->polled[thread] = ++time_;
    if (const auto told = told_.find(block_->polled_address[thread]); told != told_.end())
        learn(known_[block_->number], told->second);
}

// ---------------------------------------------------------------------------------------------------- what lies where

namespace {

// Whatever lies close behind the device's variables, or before a block's shared memory, was not meant.
constexpr std::uintptr_t beside = 4096;

}  // namespace

// What is known about the bytes; null if they are none of the device's, which is then told.
// `at_once`: by one instruction.
Shadow* Checker::shadow_at(const Attempt& attempt, bool at_once) {
    const std::uintptr_t address = attempt.address;
    const std::size_t bytes = attempt.bytes;
    if (at_once && bytes > 1 && (bytes & (bytes - 1)) == 0 && bytes <= 16 && address % bytes != 0)
        accuse(Kind::misaligned, attempt,
               "An access of that many bytes needs an address that is a multiple of as many.",
               "Often a pointer to float was cast to float4* although it does not begin at a multiple of 16 bytes.");
    if (address - region::begin < region::bytes) {
        Shadow* shadow = region::owners[(address - region::begin) / region::granule];
        if (shadow == nullptr) return accuse(Kind::out_of_bounds, attempt, "No allocation is there.", past_end);
        if (shadow->freed)
            return accuse(Kind::use_after_free, attempt, "",
                          "The memory was given back before the last kernel was done with it.");
        return shadow->contains(address, bytes) ? shadow : accuse(Kind::out_of_bounds, attempt, "", past_end);
    }
    if (address + beside - reinterpret_cast<std::uintptr_t>(shared_) < beside + shared_memory_reserved)
        return is_in_shared_variable(address, bytes) ? &block_->shared
                                                     : accuse(Kind::out_of_bounds, attempt, "", past_end);
    return elsewhere(attempt);
}

Shadow* Checker::accuse(Kind kind, const Attempt& attempt, const char* detail, const char* cause) {
    told_of_ = attempt.address;
    // An index that the compiler knew to be wrong was told of already.
    if (!is_new(kind, attempt.code) || (!indexed_at_.empty() && source_line(attempt.code - 1) == indexed_at_))
        return nullptr;
    report({kind,
            grid_->kernel,
            {{who(), (attempt.write ? "writes " : "reads ") + what(attempt.address, attempt.bytes), attempt.code - 1}},
            detail,
            cause});
    return nullptr;
}

bool Checker::is_in_shared_variable(std::uintptr_t address, std::size_t bytes) {
    const auto is_in = [&](std::size_t begin, std::size_t n) {
        const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(shared_) + begin, at = address - first;
        if (at >= n || bytes > n - at) return false;
        last_shared_ = {first, n};
        return true;
    };
    if (is_in(dynamic_shared_begin, grid_->dynamic_shared)) return true;
    return std::any_of(variables_.begin(), variables_.end(),
                       [&](const CheckedBlock::Variable& v) { return is_in(v.begin, v.bytes); });
}

Shadow* Checker::elsewhere(const Attempt& attempt) {
    if (attempt.address - last_variable_.begin < last_variable_.bytes &&
        attempt.bytes <= last_variable_.bytes - (attempt.address - last_variable_.begin))
        return last_variable_.shadow;
    const auto* pointer = reinterpret_cast<const void*>(attempt.address);
    const Symbol* symbol = symbol_at_or_before(attempt.address);
    const bool in_symbol = symbol != nullptr && attempt.address - symbol->begin + attempt.bytes <= symbol->bytes;
    if (is_variable(pointer)) {
        if (symbol != nullptr && !in_symbol) return accuse(Kind::out_of_bounds, attempt, "", past_end);
        static auto& sections = *new std::unordered_map<const char*, std::unique_ptr<Shadow>>;
        const auto [begin, end] = variables_with(pointer);
        std::unique_ptr<Shadow>& shadow = sections[begin];
        if (shadow == nullptr)
            shadow = std::make_unique<Shadow>(reinterpret_cast<std::uintptr_t>(begin) / 4 * 4, end - begin + 4, true);
        if (symbol != nullptr) last_variable_ = {symbol->begin, symbol->bytes, shadow.get()};
        return shadow.get();
    }
    if (symbol != nullptr && attempt.address - symbol->begin - symbol->bytes < beside)
        return accuse(Kind::out_of_bounds, attempt, "", past_end);
    if (is_from_kernel(attempt.address)) return nullptr;
    // The fault that follows does not know the address: see Fault::Kind::no_address.
    const std::uintptr_t upper = attempt.address >> 47;
    if (upper != 0 && upper != 0x1ffff && told_of_ != attempt.address)
        return accuse(Kind::out_of_bounds, attempt, "No memory can have that address.",
                      "Often the pointer was never set, or what it was taken from is no pointer.");
    bool writable = false;
    if (!is_host_memory(attempt.address, &writable) || !writable || pinned_flags(pointer)) return nullptr;
    return accuse(Kind::device_touches_host, attempt, "That is memory of the host, which a GPU cannot reach.",
                  "Often a pointer from malloc(), new or a vector was passed to the kernel instead of the one from "
                  "cudaMalloc().");
}

// -------------------------------------------------------------------------------------------------------------- words

std::string Checker::kernel() const {
    return grid_->kernel;
}

std::string Checker::who() const {
    return "thread " + index(threadIdx) + " of block " + index(blockIdx);
}

std::string Checker::who(Access access) const {
    const std::uint64_t linear = (access.block - first_block_) % grid_->blocks;
    return "thread " + index(index_in(access.thread, grid_->block)) + " of block " +
           index(index_in(linear, grid_->grid));
}

namespace {

// "cache[3][32]", the element of the array with that number; those before and behind it are counted on.
std::string element_name(const DescribedVariable& array, long long number) {
    std::string name;
    for (std::size_t d = std::size(array.extents); d-- > 0;) {
        const auto extent = static_cast<long long>(array.extents[d]);
        if (extent == 0) continue;
        name = "[" + std::to_string(d == 0 ? number : number % extent) + "]" + name;
        number /= extent;
    }
    return array.name + name;
}

// "float[32][33]" without the type
std::string declared_name(const DescribedVariable& variable) {
    std::string name = variable.name;
    for (const std::size_t extent : variable.extents)
        if (extent != 0) name += "[" + std::to_string(extent) + "]";
    return name;
}

}  // namespace

std::string variable_name(const DescribedVariable& variable, long long distance, std::size_t bytes,
                          const char* memory) {
    const auto element = static_cast<long long>(variable.element_bytes);
    const long long number = distance >= 0 ? distance / element : -((element - 1 - distance) / element);
    const bool is_array = variable.extents[0] != 0;
    std::string name = is_array || distance == 0 ? element_name(variable, number)
                                                 : variable.name + (" + " + std::to_string(distance)) + " bytes";
    name += std::string(" in ") + memory + " memory";
    const bool inside = distance >= 0 && distance < static_cast<long long>(bytes);
    return inside ? name : name + ", declared as " + declared_name(variable);
}

std::string Checker::shared_name(std::uintptr_t address, std::size_t bytes) const {
    const auto at = static_cast<long long>(address - reinterpret_cast<std::uintptr_t>(shared_));
    constexpr auto dynamic = static_cast<long long>(dynamic_shared_begin);
    if (at >= dynamic)
        return (dynamic_shared_.name == nullptr
                    ? ""
                    : dynamic_shared_.name +
                          ("[" + std::to_string((at - dynamic) / dynamic_shared_.element_bytes) + "], ")) +
               bytes_of(bytes) + " at byte " + std::to_string(at - dynamic) + " of the " +
               bytes_of(grid_->dynamic_shared) + " of dynamic shared memory";

    // The last one that begins before the middle of the gap behind the address.
    const CheckedBlock::Variable* nearest = nullptr;
    for (const CheckedBlock::Variable& v : variables_) {
        const auto begin = static_cast<long long>(v.begin);
        const bool is_first = begin == 0;
        if ((is_first || begin <= at + static_cast<long long>(shared_gap / 2)) &&
            (nearest == nullptr || v.begin > nearest->begin))
            nearest = &v;
    }
    if (nearest == nullptr) return bytes_of(bytes) + " of shared memory that no variable has";

    return variable_name(nearest->type, at - static_cast<long long>(nearest->begin), nearest->bytes, "shared");
}

std::string Checker::what(std::uintptr_t address, std::size_t bytes) const {
    if (address + beside - reinterpret_cast<std::uintptr_t>(shared_) < beside + shared_memory_reserved)
        return shared_name(address, bytes);
    if (address - region::begin < region::bytes) {
        const std::string allocation = describe_allocation(address);
        return bytes_of(bytes) + (allocation.empty() ? "" : ", ") + allocation;
    }
    if (address - own_stack.begin < own_stack.bytes) return local_name(address);
    if (const Symbol* symbol = symbol_at_or_before(address)) {
        if (address - symbol->begin < symbol->bytes + beside)
            return bytes_of(bytes) + " at byte " + std::to_string(address - symbol->begin) + " of " + symbol->name +
                   " (" + bytes_of(symbol->bytes) + ")";
    }
    return bytes_of(bytes);
}

// Told at the end of the launch: until then it may turn out to be half of a race, which is what to mend then.
void Checker::check_initialised(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    // Not every write is seen: a function may return a structure right into memory.
    const auto* first = reinterpret_cast<const unsigned char*>(address);
    if (std::any_of(first, first + bytes, [](unsigned char b) { return b != 0xff; })) return;
    suspect_uninitialised(address, bytes, code);
}

void Checker::suspect_uninitialised(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    if (is_new(Kind::uninitialised, code))
        suspected_.push_back({code,
                              {Kind::uninitialised,
                               grid_->kernel,
                               {{who(), "reads " + what(address, bytes), code - 1}},
                               "Nothing was ever written there.",
                               "Often memory was taken for zero that nobody cleared, or a part of an array was left "
                               "out."}});
}

void Checker::tell_suspicions() {
    for (const Suspicion& each : suspected_) report(each.finding);
    suspected_.clear();
}

void Checker::race(Access before, bool before_wrote, Access now, bool now_writes, std::uintptr_t address,
                   std::size_t bytes) {
    // A loop that waits for a flag is none of those that lockstep was to make right. It may be known for one later.
    if ((is_volatile(before) || is_volatile(now)) && !launch_is_over_) {
        lockstep_.push_back({before, now, before_wrote, now_writes, address});
        return;
    }
    const std::uintptr_t code = whole_code_address(before.code), now_code = whole_code_address(now.code);
    std::erase_if(suspected_, [&](const Suspicion& each) { return each.code == code || each.code == now_code; });
    if (!is_new(Kind::race, code, now_code)) return;
    const bool in_block = before.block == now.block;
    const auto did = [](Access a, bool wrote) {
        return is_atomic(a) ? "changed (atomically) " : wrote ? "wrote " : "read ";
    };
    const bool shared = address - reinterpret_cast<std::uintptr_t>(shared_) < shared_memory_reserved;
    const bool one_warp = in_block && same_warp(before, now);
    report({Kind::race,
            grid_->kernel,
            {{who(before), did(before, before_wrote) + what(address, bytes), code - 1},
             {who(now), std::string(did(now, now_writes)) + "it", now_code - 1}},
            in_block
                ? one_warp
                      ? "Both are in one warp. Nothing orders the two: no barrier and no __syncwarp() lies between."
                      : "Nothing orders the two: no barrier lies between."
                : "Nothing orders what two blocks of a launch do, except atomic operations with fences.",
            shared || in_block
                ? "Often a __syncthreads() is missing: before what others wrote is read, or before it is overwritten."
                : "Often two blocks add to one counter without atomicAdd(), or one reads what another one makes: that "
                  "needs a second launch."});
}

void report_index(const char* file, unsigned line, const char* array, const std::string& index) {
    Checker* checker = active_checker;
    const Uninterrupted here;
    if (checker != nullptr) checker->note_index(SourcePlace{file, line}.name());
    if (!is_new(Kind::out_of_bounds, reinterpret_cast<std::uintptr_t>(file) + line)) return;
    report({Kind::out_of_bounds,
            checker == nullptr ? "" : checker->kernel(),
            {{checker == nullptr ? "host code" : checker->who(),
              "uses index " + index + " of an array that is " + array, 0, file, line}},
            "",
            "Often the index was not compared with the number of elements, or with <= where < was meant."});
}

}  // namespace emulator
