#include "race_detection.h"

#include <cstring>
#include <string>

#include "findings.h"
#include "process_map.h"

namespace emulator {

// An atomic operation that follows a guess sees whether it was right: such loads are fine.
void RaceDetection::check_guesses(const ShadowMemory& shadow, std::size_t word, const Access* reads, Access atomic) {
    for (const Access* read : {reads, reads + 1})
        if (same_thread(*read, atomic) && read->phase == atomic.phase) good_guesses_.insert(read->code);
    if (guesses_.empty()) return;
    std::erase_if(guesses_,
                  [&](const Guess& g) { return g.shadow == &shadow && g.word == word && same_thread(g.read, atomic); });
}

// Only of shared memory: a look at a counter of the whole grid is a usual hint.
void RaceDetection::end_guesses() {
    for (const Guess& g : guesses_)
        if (!good_guesses_.contains(g.read.code))
            report_race(g.change, true, g.read, false, g.shadow->begin() + 4 * g.word);
    guesses_.clear();
}

void RaceDetection::launch_ends() {
    end_guesses();
    launch_is_over_ = true;
    for (const LockstepPair& each : lockstep_pairs_)
        if (!waiting_loops_.contains(each.before.code) && !waiting_loops_.contains(each.now.code))
            report_race(each.before, each.before_wrote, each.now, each.now_writes, each.address);
    lockstep_pairs_.clear();
}

bool RaceDetection::loads_again(const volatile void* address, std::size_t bytes, const void* code) {
    VolatileLoad now{launch_.present_thread(), address, code};
    std::memcpy(now.found, const_cast<const void*>(address), bytes);
    const VolatileLoad& last = last_volatile_load_;
    const bool same = now.thread == last.thread && now.address == last.address && now.code == last.code &&
                      std::memcmp(now.found, last.found, bytes) == 0;
    last_volatile_load_ = now;
    if (same) waiting_loops_.insert(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code)));
    return same;
}

void RaceDetection::report_race(Access before, bool before_wrote, Access now, bool now_writes, std::uintptr_t address) {
    // A loop that waits for a flag is none of those that lockstep was to make right. It may be known for one later.
    if ((is_volatile(before) || is_volatile(now)) && !launch_is_over_) {
        lockstep_pairs_.push_back({before, now, before_wrote, now_writes, address});
        return;
    }
    const std::uintptr_t code = whole_code_address(before.code), now_code = whole_code_address(now.code);
    initialisation_.is_race(code, now_code);
    if (!is_new(Kind::race, code, now_code)) return;
    const bool in_block = before.block == now.block;
    const auto did = [](Access a, bool wrote) {
        return is_atomic(a) ? "changed (atomically) " : wrote ? "wrote " : "read ";
    };
    const bool one_warp = in_block && same_warp(before, now);
    report({Kind::race,
            launch_.kernel(),
            {{launch_.who(before), did(before, before_wrote) + launch_.what(address, 4), code - 1},
             {launch_.who(now), std::string(did(now, now_writes)) + "it", now_code - 1}},
            in_block
                ? one_warp
                      ? "Both are in one warp. Nothing orders the two: no barrier and no __syncwarp() lies between."
                      : "Nothing orders the two: no barrier lies between."
                : "Nothing orders what two blocks of a launch do, except atomic operations with fences.",
            launch_.is_shared(address) || in_block
                ? "Often a __syncthreads() is missing: before what others wrote is read, or before it is overwritten."
                : "Often two blocks add to one counter without atomicAdd(), or one reads what another one makes: that "
                  "needs a second launch."});
}

}  // namespace emulator
