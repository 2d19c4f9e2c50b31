#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "findings.h"
#include "host/allocations.h"
#include "kernel_heap.h"
#include "launch.h"
#include "shadow_memory.h"
#include "warp_mask_checks.h"

namespace emulator {

/// The shadow memory of the device's variables, the section that this one is in.
ShadowMemory* shadow_of_variable(const void* pointer);

/// What a thread of a kernel is about to do.
struct Attempt {
    std::uintptr_t address;
    std::size_t bytes;
    bool write;
    std::uintptr_t code;
};

/// Bounds, lifetime, alignment, and whose memory it is.
class AddressChecks {
  public:
    AddressChecks(CheckedLaunch& launch, WarpMaskChecks& warp_masks) : launch_(launch), warp_masks_(warp_masks) {}

    void launch_begins();
    void block_is_entered() { last_shared_ = {}; }

    /// The shadow memory of the bytes; null if they are none of the device's, which is reported. `at_once`: by one
    /// instruction.
    [[gnu::always_inline]] ShadowMemory* shadow_at(const Attempt& attempt, bool at_once) {
        const std::uintptr_t offset = attempt.address - region::begin;
        if (offset < region::bytes) {
            if (ShadowMemory* shadow = usual_allocation(attempt.address, attempt.bytes, offset)) return shadow;
        } else if (is_in_usual_shared(attempt.address, attempt.bytes)) {
            return &launch_.block->shared;
        }
        return any_shadow(attempt, at_once);
    }

    /// Of an address in the region of allocations, `offset` behind its begin, as nearly every access has it: a live
    /// allocation that all the bytes are in, at a multiple of as many. Null if there is more to look at.
    static ShadowMemory* usual_allocation(std::uintptr_t address, std::size_t bytes, std::uintptr_t offset) {
        ShadowMemory* shadow = region::owners[offset / region::granule];
        return shadow != nullptr && shadow->is_usual(address, bytes) ? shadow : nullptr;
    }
    /// The same of the shared variable that was touched last.
    bool is_in_usual_shared(std::uintptr_t address, std::size_t bytes) const {
        const std::uintptr_t at = address - last_shared_.begin;
        return (address & (bytes - 1)) == 0 && at < last_shared_.bytes && bytes <= last_shared_.bytes - at;
    }

    /// The gap before or behind a thread's own array.
    void hits_gap(const Attempt& attempt);

    /// In the present thread's stack, where no function has anything any more.
    void hits_ended_function(const Attempt& attempt);

    /// A fault that no access told of: an address that is in no memory of the device.
    void fault(std::uintptr_t address, bool write, std::uintptr_t code);

    /// The present thread has called what is no function.
    void called(std::uintptr_t address, std::uintptr_t code);

    /// The compiler's check of an index has reported that line.
    void index_is_reported(const std::string& line) {
        reported_index_ = line;
        wrong_index_of_ = launch_.present_thread();
    }
    /// Of the present thread.
    bool has_wrong_index() const { return wrong_index_of_ == launch_.present_thread(); }

  private:
    ShadowMemory* any_shadow(const Attempt& attempt, bool at_once);
    bool is_in_shared_variable(std::uintptr_t address, std::size_t bytes);
    ShadowMemory* outside_of_allocations(const Attempt& attempt);
    void check_kernel_allocation(const Attempt& attempt, const KernelAllocation& allocation);
    ShadowMemory* report_between_rows(const Attempt& attempt, const ShadowMemory& shadow);
    ShadowMemory* report_attempt(Kind kind, const Attempt& attempt, const std::string& detail,
                                 const std::string& cause);
    ShadowMemory* report_outside(const Attempt& attempt);
    ShadowMemory* report_nowhere(const Attempt& attempt);

    CheckedLaunch& launch_;
    WarpMaskChecks& warp_masks_;
    struct {
        std::uintptr_t begin = 0;
        std::size_t bytes = 0;
        ShadowMemory* shadow = nullptr;
        bool constant = false;
    } last_variable_;  // of the device, that a kernel has touched: often it is the next one, too
    struct {
        std::uintptr_t begin = 0;
        std::size_t bytes = 0;
    } last_shared_;  // __shared__ one of this block, the same
    std::uintptr_t reported_ = 0;
    std::string reported_index_;
    std::uint64_t wrong_index_of_ = 0;
};

}  // namespace emulator
