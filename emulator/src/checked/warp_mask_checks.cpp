#include "warp_mask_checks.h"

#include <cstdio>

#include "../engine/worker.h"
#include "findings.h"

namespace emulator {

void WarpMaskChecks::lane_arrives(CheckedBlock& block, unsigned warp, unsigned mask, std::uintptr_t code) {
    const unsigned thread = thread_number(threadIdx);
    block.warp_operations[thread] = {mask, code};
    block.in_warp_operation[warp] |= 1u << thread % 32;
    if (const unsigned absent = mask & block.ended[warp]; absent != 0)
        report_absent(mask, code, warp * 32 + static_cast<unsigned>(__builtin_ctz(absent)), thread);
}

// Others may wait for the lane that has not left the kernel before and ends now.
void WarpMaskChecks::thread_ends() {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx), warp = thread / 32, bit = 1u << thread % 32;
    block.ended[warp] |= bit;
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

void WarpMaskChecks::report_absent(unsigned mask, std::uintptr_t code, unsigned absent, unsigned caller) {
    if (!is_new(Kind::warp_mask, code)) return;
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    report(
        {Kind::warp_mask,
         launch_.kernel(),
         {{launch_.who(caller), std::string("names the lanes ") + text, code - 1}},
         "Thread " + index(index_in(absent, launch_.grid->block)) + ", lane " + std::to_string(absent % 32) +
             ", is named but never gets there.",
         "The mask has to name the lanes that make the call: often 0xffffffff stands in an if that some lanes skip."});
}

void WarpMaskChecks::lane_is_not_in_mask(const std::string& operation, std::uintptr_t code) {
    report({Kind::warp_mask,
            launch_.kernel(),
            {{launch_.who(), "calls " + operation.substr(0, operation.find(" at ")), code - 1}},
            "The mask does not name its own lane " + std::to_string(thread_number(threadIdx) % 32) + ".",
            "The mask has to name the lanes that make the call."});
}

}  // namespace emulator
