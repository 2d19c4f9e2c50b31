#include "proxy_checks.h"

#include <algorithm>

#include "../engine/worker.h"
#include "../reports/source_places.h"
#include "findings.h"
#include "host/process_map.h"

namespace emulator {

void ProxyChecks::fence() {
    CheckedBlock& block = *launch_.block;
    block.proxy_fences[thread_number(threadIdx)] = order_.known_here();
    block.proxy_fenced_phases = std::max(block.proxy_fenced_phases, block.phase);
}

bool ProxyChecks::is_fenced(Access stored) const {
    const CheckedBlock& block = *launch_.block;
    if (stored.phase < block.proxy_fenced_phases) return true;
    const auto own = block.proxy_fences.find(stored.thread);
    if (own != block.proxy_fences.end() && HappensBefore::covers(own->second, own->first, stored)) return true;
    return std::ranges::any_of(
        block.proxy_fences, [&](const auto& each) { return HappensBefore::covers(each.second, each.first, stored); });
}

void ProxyChecks::source_is_read(ShadowMemory& shadow, const Attempt& read, Access copy, const char* how) const {
    bool told = false;
    shadow.for_each_word(read.address, read.bytes, [&](std::size_t word, unsigned) {
        const Access stored = shadow.last_write(word);
        if (told || stored.block != copy.block || races_.is_by_copy(stored) || is_fenced(stored)) return;
        // Else it is a race, and told as such.
        if (!same_thread(stored, copy) && !order_.ordered(shadow, stored, copy)) return;
        told = true;
        const std::uintptr_t code = whole_code_address(stored.code);
        if (!is_new(Kind::race, code, read.code)) return;
        const std::uintptr_t at = shadow.begin() + 4 * word;
        report({Kind::race,
                launch_.kernel(),
                {{launch_.who(stored), "wrote " + launch_.what(at, 4), code - 1, at, 4},
                 {launch_.who(), how, read.code - 1, read.address, read.bytes}},
                "Bulk copies and wgmma read memory by another way than threads, the async proxy, and no "
                "fence.proxy.async lies between the two.",
                "Behind the stores, and before the barrier that the other one comes after, each thread calls "
                "cuda::ptx::fence_proxy_async(cuda::ptx::space_shared)."});
    });
}

}  // namespace emulator
