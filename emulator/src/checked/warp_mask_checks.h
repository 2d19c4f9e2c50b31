#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../engine/indices.h"
#include "checked_block.h"
#include "emulator/types.h"
#include "findings.h"
#include "launch.h"

namespace emulator {

/// What a shuffle gives for a lane that takes no part: a NaN, as a float and as a double, that sums keep, and no number
/// that a program would have.
inline constexpr std::uint64_t undefined_value = 0xfffd'c0de'fffd'c0de;

/// The mask of a shuffle, vote or __syncwarp() has to name the lanes that come there, all of them.
class WarpMaskChecks {
  public:
    explicit WarpMaskChecks(const CheckedLaunch& launch) : launch_(launch) {}

    // What the present thread does.
    void lane_arrives(CheckedBlock& block, unsigned warp, unsigned mask, std::uintptr_t code);
    void lane_asks_who_is_there(std::uintptr_t code) { launch_.block->active_masks[thread_number(threadIdx)] = code; }
    void lane_is_not_in_mask(const std::string& operation, std::uintptr_t code);
    void thread_ends() {
        CheckedBlock& block = *launch_.block;
        const unsigned thread = thread_number(threadIdx), warp = thread / 32;
        block.ended[warp] |= 1u << thread % 32;
        if (block.in_warp_operation[warp] != 0) others_may_wait_for(thread);
    }

    static void lanes_meet(CheckedBlock& block, unsigned warp, unsigned lanes);

    /// By a shuffle.
    void lane_asks_absent(unsigned warp, unsigned lane, unsigned absent, unsigned mask, std::uintptr_t code);

    void lane_asks_outside(unsigned warp, unsigned lane, unsigned source, std::uintptr_t code) {
        launch_.block->shuffles_outside[warp] = {code, lane, source,
                                                 launch_.block->warp_operations[32 * warp + lane].mask};
        launch_.block->any_shuffle_outside = true;
    }

    /// The present thread is about to store those bytes: they may come of a shuffle from outside its mask.
    void store(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
        if (launch_.block->any_shuffle_outside) note_store(address, bytes, code);
    }
    /// The shuffle whose result is, or is close to, the index with which an array would have an element at this
    /// address.
    const CheckedBlock::ShuffleOutside* gave_index(std::uintptr_t address, std::size_t bytes) const;
    void report_outside(const CheckedBlock::ShuffleOutside& shuffle, unsigned thread, const Participant& use);
    bool is_storing() const { return stored_.bytes != 0; }
    void complete_store() {
        if (stored_.bytes != 0) complete_this_store();
    }

  private:
    void others_may_wait_for(unsigned thread);  // which has not left the kernel before, and ends now
    void note_store(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
    void complete_this_store();

    struct Store {
        std::uintptr_t address = 0;
        std::size_t bytes = 0;  // 0: there is none
        std::uintptr_t code = 0;
        unsigned thread = 0;
    } stored_;
    void report_absent(unsigned mask, std::uintptr_t code, unsigned absent, unsigned caller);

    const CheckedLaunch& launch_;
};

/// Lanes may come to two __syncwarp() and meet. If some then wait where the others have been, in vain: who came where
/// when it went wrong, those that `thread` is one of first. Else empty. It waits at `code`, for the lanes of the mask.
std::vector<Participant> where_lanes_parted(const CheckedLaunch& launch, const CheckedBlock& block, uint3 block_index,
                                            unsigned thread, unsigned mask, std::uintptr_t code);

}  // namespace emulator
