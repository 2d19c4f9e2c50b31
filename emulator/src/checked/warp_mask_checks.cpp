#include "warp_mask_checks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "../engine/worker.h"
#include "../reports/source_places.h"
#include "findings.h"

namespace emulator {
namespace {

std::string hexadecimal(unsigned mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

}  // namespace

void WarpMaskChecks::lanes_meet(CheckedBlock& block, unsigned warp, unsigned lanes) {
    block.in_warp_operation[warp] &= ~lanes;
    const CheckedBlock::WarpOperationCall* const calls = block.warp_operations.data() + 32 * warp;
    const CheckedBlock::WarpOperationCall& first = calls[__builtin_ctz(lanes)];
    unsigned elsewhere = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        if (calls[__builtin_ctz(rest)].code != first.code) elsewhere |= rest & -rest;
    if (elsewhere == 0) return;
    const std::array places = {first.code, calls[__builtin_ctz(elsewhere)].code};
    const auto [known, is_first] = block.mixed_meetings.try_emplace({warp, first.mask});
    CheckedBlock::MixedMeeting& meeting = known->second;
    const auto was_there = [&](std::uintptr_t place) { return std::ranges::count(meeting.last, place) > 0; };
    if (is_first || std::ranges::none_of(places, was_there))
        meeting = {places, places, {lanes & ~elsewhere, elsewhere}};
    else
        meeting.last = places;
}

std::vector<Participant> where_lanes_parted(const CheckedLaunch& launch, const CheckedBlock& block, uint3 block_index,
                                            unsigned thread, unsigned mask, std::uintptr_t code) {
    const unsigned warp = thread / 32;
    const auto found = block.mixed_meetings.find({warp, mask});
    if (found == block.mixed_meetings.end()) return {};
    const CheckedBlock::MixedMeeting& meeting = found->second;
    // The compiler may have made two calls of one.
    if (std::ranges::count(meeting.last, code) == 0 ||
        source_line(meeting.first[0] - 1) == source_line(meeting.first[1] - 1))
        return {};
    std::vector<Participant> parties;
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned lanes = meeting.lanes[i], one = 32 * warp + static_cast<unsigned>(__builtin_ctz(lanes));
        parties.push_back({std::to_string(__builtin_popcount(lanes)) + " lanes of the mask " + hexadecimal(mask) +
                               ", first thread " + index(index_in(one, launch.grid->block)) + " of block " +
                               index(block_index) + ",",
                           i == 0 ? "came to a call" : "came to another one", meeting.first[i] - 1});
    }
    if ((meeting.lanes[1] >> thread % 32 & 1) != 0) {
        std::swap(parties[0], parties[1]);
        std::swap(parties[0].what, parties[1].what);
    }
    return parties;
}

void WarpMaskChecks::lane_arrives(CheckedBlock& block, unsigned warp, unsigned mask, std::uintptr_t code) {
    const unsigned thread = thread_number(threadIdx);
    block.warp_operations[thread] = {mask, code};
    block.in_warp_operation[warp] |= 1u << thread % 32;
    if (const unsigned absent = mask & block.ended[warp]; absent != 0)
        report_absent(mask, code, warp * 32 + static_cast<unsigned>(__builtin_ctz(absent)), thread);
}

void WarpMaskChecks::others_may_wait_for(unsigned thread) {
    const CheckedBlock& block = *launch_.block;
    const unsigned warp = thread / 32, bit = 1u << thread % 32;
    for (unsigned rest = block.in_warp_operation[warp] & ~bit; rest != 0; rest &= rest - 1) {
        const unsigned other = 32 * warp + static_cast<unsigned>(__builtin_ctz(rest));
        const CheckedBlock::WarpOperationCall& call = block.warp_operations[other];
        if ((call.mask & bit) != 0) return report_absent(call.mask, call.code, thread, other);
    }
}

void WarpMaskChecks::lane_asks_absent(unsigned warp, unsigned lane, unsigned absent, unsigned mask,
                                      std::uintptr_t code) {
    report_absent(mask, code, 32 * warp + absent, 32 * warp + lane);
}

void WarpMaskChecks::note_store(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    const unsigned thread = thread_number(threadIdx);
    if (launch_.block->shuffles_outside[thread / 32].code == 0 || bytes % 4 != 0 || bytes > 16) return;
    stored_ = {address, bytes, code, thread};
}

void WarpMaskChecks::complete_this_store() {
    const Store store = std::exchange(stored_, {});
    const auto undefined = static_cast<std::uint32_t>(undefined_value);
    for (std::uintptr_t at = store.address; at < store.address + store.bytes; at += sizeof undefined) {
        if (std::memcmp(reinterpret_cast<const void*>(at), &undefined, sizeof undefined) != 0) continue;
        const unsigned warp = store.thread / 32;
        const CheckedBlock::ShuffleOutside& shuffle = launch_.block->shuffles_outside[warp];
        if (!is_new(Kind::warp_mask, shuffle.code, store.code)) return;
        return report_outside(
            shuffle, store.thread,
            {launch_.who(store.thread), "stores what came of it to " + launch_.what(at, 4), store.code - 1, at, 4});
    }
}

const CheckedBlock::ShuffleOutside* WarpMaskChecks::gave_index(std::uintptr_t address, std::size_t bytes) const {
    const CheckedBlock::ShuffleOutside& shuffle = launch_.block->shuffles_outside[thread_number(threadIdx) / 32];
    const auto undefined = static_cast<std::uint32_t>(undefined_value);
    const auto leads_to_array = [&](std::int64_t index) {
        const std::uintptr_t first = address - static_cast<std::uintptr_t>(index) * bytes;
        return shadow_of(reinterpret_cast<const void*>(first)) != nullptr || launch_.is_near_shared(first);
    };
    const bool leads = leads_to_array(undefined) || leads_to_array(static_cast<std::int32_t>(undefined));
    return shuffle.code != 0 && leads ? &shuffle : nullptr;
}

// Of __shfl() and the like, and of __activemask() in a shuffle's line, nobody has written the mask.
void WarpMaskChecks::report_outside(const CheckedBlock::ShuffleOutside& shuffle, unsigned thread,
                                    const Participant& use) {
    const unsigned caller = thread / 32 * 32 + shuffle.lane;
    const std::uintptr_t mask = launch_.block->active_masks[caller];
    const bool is_written = mask == 0 || source_line(mask - 1) != source_line(shuffle.code - 1);
    const bool is_next = static_cast<int>(shuffle.source) == __builtin_ffs(static_cast<int>(shuffle.mask)) &&
                         shuffle.lane + 1 != shuffle.source;  // nor a neighbour's
    report({Kind::warp_mask,
            launch_.kernel(),
            {{launch_.who(caller),
              is_written ? "asks lane " + std::to_string(shuffle.source) + ", which is not in the mask"
                         : "asks lane " + std::to_string(shuffle.source) + ", which does not take part",
              shuffle.code - 1},
             use},
            is_written ? "What a shuffle gives for a lane outside of the mask is undefined."
                       : "What a shuffle gives for a lane that does not come there, too, is undefined.",
            is_next      ? "The first lane of the mask is the one before: __ffs() counts bits from 1, so that lane is "
                           "__ffs(mask) - 1."
            : is_written ? "The mask has to name the lanes that are asked, too, or the lane must not use what it gets: "
                           "often the last warp is not full."
                         : "The lanes that are asked have to come there, too, or the lane must not use what it gets: "
                           "often some have returned, or are in another branch. A mask says which have to come."});
}

void WarpMaskChecks::report_absent(unsigned mask, std::uintptr_t code, unsigned absent, unsigned caller) {
    if (!is_new(Kind::warp_mask, code)) return;
    const std::string lane =
        "Thread " + index(index_in(absent, launch_.grid->block)) + ", lane " + std::to_string(absent % 32) + ", ";
    std::vector<Participant> all = where_lanes_parted(launch_, *launch_.block, blockIdx, caller, mask, code);
    const bool parted = !all.empty();
    all.push_back({launch_.who(caller), "names the lanes " + hexadecimal(mask), code - 1});
    const CheckedBlock::WarpOperationCall& call = launch_.block->warp_operations[absent];
    const bool was_there = call.mask != mask && source_line(call.code - 1) == source_line(code - 1);
    report(
        {Kind::warp_mask, launch_.kernel(), std::move(all),
         was_there ? lane + "is named, and has come there with the mask " + hexadecimal(call.mask) + "."
         : parted  ? "The two calls were taken for one, since lanes may meet at different places. " + lane +
                        "has ended, and the last call waits for it."
                  : lane + "is named but never gets there.",
         was_there
             ? "All lanes that are to meet have to give the same mask, that of them all: of the upper half of a warp "
               "that is 0xffff0000, and of the lower one 0x0000ffff."
             : "The mask has to name the lanes that make the call: often 0xffffffff, or a tile, is used in an if that "
               "some "
               "lanes skip."});
}

void WarpMaskChecks::lane_is_not_in_mask(const std::string& operation, std::uintptr_t code) {
    report({Kind::warp_mask,
            launch_.kernel(),
            {{launch_.who(), "calls " + operation.substr(0, operation.find(" at ")), code - 1}},
            "The mask does not name its own lane " + std::to_string(thread_number(threadIdx) % 32) + ".",
            "The mask has to name the lanes that make the call."});
}

}  // namespace emulator
