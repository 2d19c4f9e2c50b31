#include "deadlock_report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../engine/worker.h"
#include "../memory/memory.h"
#include "../reports/debug_information.h"
#include "../reports/source_places.h"
#include "emulator/mbarrier.h"
#include "findings.h"
#include "warp_mask_checks.h"

namespace emulator {
namespace {

// The mbarrier that it waits for; null: none, or one that nobody has initialised.
const std::uint64_t* barrier_of(const Fiber* fiber) {
    const std::uint64_t* barrier = fiber->parked ? fiber->place.mbarrier() : nullptr;
    return barrier == nullptr || mbarrier::Word(*barrier).is_unset() ? nullptr : barrier;
}

// Threads that wait in one line.
struct Crowd {
    const Fiber* first;
    std::uintptr_t code;
    std::string what;
    unsigned threads = 0;
};

// " (full[1] in shared memory)" of an mbarrier that the thread waits for, else nothing.
std::string barrier_name(const CheckedLaunch& launch, const Fiber* fiber) {
    auto address = reinterpret_cast<std::uintptr_t>(fiber->place.mbarrier());
    if (address == 0) return "";
    const std::uintptr_t place = address - reinterpret_cast<std::uintptr_t>(fiber->block->shared);
    // Every block has the same variables at the same places.
    if (place < shared_memory_reserved) address = reinterpret_cast<std::uintptr_t>(launch.shared_memory) + place;
    const std::string name = launch.what(address, sizeof *fiber->place.mbarrier());
    return " (" + name.substr(0, name.find(" of block")) + ")";
}

unsigned number_of(const CheckedLaunch& launch, const Fiber* fiber) {
    return fiber->thread.x + launch.grid->block.x * (fiber->thread.y + launch.grid->block.y * fiber->thread.z);
}

bool is_in(std::uintptr_t code, const char* header) {
    return std::ranges::any_of(inlined_lines(code),
                               [&](const SourcePlace& place) { return place.path.ends_with(header); });
}

// What is missing at the latch that it waits for, if it does.
std::optional<std::ptrdiff_t> count_of_latch(const CheckedLaunch& launch, const Fiber* fiber) {
    const WarpOperation waits = fiber->place.operation;
    if (!fiber->parked || (waits != WarpOperation::spin && waits != WarpOperation::object)) return {};
    const CheckedBlock& block = *static_cast<const ResidentBlock*>(fiber->block)->checked;
    const unsigned number = number_of(launch, fiber);
    const std::uintptr_t looks = block.acquired_by[number];
    if (looks == 0 || !is_in(looks - 1, "libcuxx/latch.h")) return {};
    const auto* count = reinterpret_cast<const std::ptrdiff_t*>(block.acquired_at[number]);
    return readable_bytes(count, sizeof *count) == sizeof *count ? std::optional(*count) : std::nullopt;
}

std::map<std::string, Crowd> crowds_of(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers) {
    std::map<std::string, Crowd> crowds;
    for (const Fiber* fiber : fibers) {
        if (!fiber->parked) continue;
        // A loop is known by what it looks at.
        const std::uintptr_t looks =
            static_cast<const ResidentBlock*>(fiber->block)->checked->acquired_by[number_of(launch, fiber)];
        const bool in_loop = fiber->place.operation == WarpOperation::spin && looks != 0;
        const auto code = in_loop ? looks : reinterpret_cast<std::uintptr_t>(fiber->place.code);
        const std::string place = describe(fiber->place);
        std::string what = place.substr(0, place.find(" at ")) + barrier_name(launch, fiber);
        if (const auto count = count_of_latch(launch, fiber))
            what = "the wait of a latch whose count is still " + std::to_string(*count);
        Crowd& crowd = crowds[what + source_line_and_call(code - 1)];
        if (crowd.threads++ == 0) crowd = {fiber, code, what, 1};
    }
    return crowds;
}

const std::array<CheckedBlock::Lock, 2>& locks_of(const CheckedLaunch& launch, const Fiber* fiber) {
    return static_cast<const ResidentBlock*>(fiber->block)->checked->locks[number_of(launch, fiber)];
}

// Threads each of which waits for the lock that the next one holds, and the last one for that of the first.
std::vector<const Fiber*> ring_of_locks(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers) {
    std::map<std::uintptr_t, const Fiber*> holders;
    for (const Fiber* fiber : fibers) {
        if (!fiber->parked || fiber->place.operation != WarpOperation::spin) continue;
        const auto& [awaited, held] = locks_of(launch, fiber);
        const auto& block = *static_cast<const ResidentBlock*>(fiber->block)->checked;
        if (held.taken && !awaited.taken && block.acquired_at[number_of(launch, fiber)] == awaited.address)
            holders[held.address] = fiber;
    }
    for (const auto& [lock, first] : holders) {
        std::vector<const Fiber*> ring = {first};
        while (ring.size() <= holders.size()) {
            const auto next = holders.find(locks_of(launch, ring.back())[0].address);
            if (next == holders.end()) break;
            if (next->second == first) return ring;
            ring.push_back(next->second);
        }
    }
    return {};
}

// A thread that waits in a loop for what others store; null: none.
const Fiber* in_a_loop(const std::vector<Fiber*>& fibers) {
    const auto found = std::ranges::find_if(
        fibers, [](const Fiber* f) { return f->parked && f->place.operation == WarpOperation::spin; });
    return found == fibers.end() ? nullptr : *found;
}

bool is_warp_operation(const Place& place) {
    return place.operation == WarpOperation::sync || place.operation > WarpOperation::lockstep;
}

// Whether the lanes that a warp's operation waits for wait elsewhere.
bool is_wrong_mask(const std::vector<Fiber*>& fibers) {
    const auto in_operation = [](const Fiber* f) { return f->parked && is_warp_operation(f->place); };
    return in_a_loop(fibers) == nullptr && std::ranges::any_of(fibers, in_operation);
}

// A lane of the warp's that the operation waits for, and where it is.
std::string what_is_missing(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers, const Fiber* waiting) {
    const unsigned warp = number_of(launch, waiting) / 32;
    for (const Fiber* other : fibers) {
        const unsigned number = number_of(launch, other);
        if (!other->parked || other->block != waiting->block || number / 32 != warp ||
            (waiting->place.mask >> number % 32 & 1) == 0 || other->place.operation == waiting->place.operation)
            continue;
        return " The mask also names thread " + index(other->thread) + ", which waits in " + describe(other->place) +
               ".";
    }
    return "";
}

// Whether a barrier that is waited for lacks bytes of copies, or has had too many.
bool is_wrong_number_of_bytes(const std::vector<Fiber*>& fibers) {
    return std::ranges::any_of(fibers, [](const Fiber* fiber) {
        const std::uint64_t* barrier = barrier_of(fiber);
        return barrier != nullptr && mbarrier::Word(*barrier).copies != 0;
    });
}

// Of a barrier that is waited for: that the number of its arrivals is wrong, or the parity.
std::string cause_at_phase(const std::vector<Fiber*>& fibers) {
    for (const Fiber* fiber : fibers) {
        const std::uint64_t* barrier = barrier_of(fiber);
        if (barrier == nullptr) continue;
        const mbarrier::Word word(*barrier);
        const auto& objects = static_cast<const ResidentBlock*>(fiber->block)->checked->barrier_objects;
        const auto object = objects.find(reinterpret_cast<std::uintptr_t>(barrier));
        if (word.missing == 0 || word.copies != 0 || object == objects.end()) continue;
        const std::string each = "Each phase of that barrier ends after " + counted(word.expected, "arrival");
        if (word.missing < word.expected)
            return each + ", and " + std::to_string(word.expected - word.missing) +
                   " came in this one: often the number that it was initialised with is wrong, or some threads do not "
                   "arrive.";
        if (const std::size_t threads = object->second.arrivers.count(); threads > word.expected)
            return each + ", and " + std::to_string(threads) +
                   " threads arrive there. If all of them belong to one phase, the number that it was initialised "
                   "with is wrong; if they take turns, the parity of the wait.";
        const std::uint64_t phases = object->second.phases;
        if (phases == 0)
            return "Nobody has arrived there so far. If it says that a buffer is empty, and all are empty at first, "
                   "the first wait is for parity 1: the phase before the first one counts as over.";
        return (phases == 1 ? "1 phase is" : std::to_string(phases) + " phases are") +
               " over, and nobody has arrived in the next one. If the last of those was meant, the parity is wrong: "
               "the first phase has parity 0, the next one 1, then 0 again. Of a ring of n barriers, round i waits for "
               "parity i / n % 2. Else an arrival is missing.";
    }
    return {};
}

// Whether threads wait at a named barrier, and whether it is for lanes of their own warps, or a warp has arrived there
// twice.
enum class AtNamedBarrier { nobody, warps, tiles, lanes, again };
AtNamedBarrier at_named_barrier(const std::vector<Fiber*>& fibers) {
    AtNamedBarrier found = AtNamedBarrier::nobody;
    for (const Fiber* fiber : fibers) {
        const NamedBarrier* barrier = fiber->parked ? fiber->place.named_barrier() : nullptr;
        if (barrier != nullptr && barrier->incomplete_warps != 0) return AtNamedBarrier::lanes;
        if (barrier != nullptr && barrier->arrived_again) return AtNamedBarrier::again;
        if (barrier != nullptr)
            found = barrier->number < NamedBarrier::of_block ? AtNamedBarrier::warps : AtNamedBarrier::tiles;
    }
    return found;
}

// Whether somebody waits in a line with the word.
bool waits_in(const std::vector<Fiber*>& fibers, const char* word) {
    return std::ranges::any_of(fibers, [&](const Fiber* fiber) {
        const auto code = reinterpret_cast<std::uintptr_t>(fiber->place.code) - 1;
        return fiber->parked && text_of(source_place(code)).find(word) != std::string::npos;
    });
}

// Some threads of a block have arrived at a barrier, and as many as are missing have ended, or more.
bool have_left(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers) {
    return std::ranges::any_of(fibers, [&](const Fiber* fiber) {
        const std::uint64_t* barrier = barrier_of(fiber);
        if (barrier == nullptr) return false;
        const dim3 size = launch.grid->block;
        const mbarrier::Word word(*barrier);
        return word.missing > 0 && word.missing < word.expected &&
               word.missing <= size.x * size.y * size.z - fiber->block->parked;
    });
}

std::string usual_cause(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers, bool wrong_mask) {
    const auto is_unset = [](const Fiber* fiber) {
        return fiber->parked && fiber->place.mbarrier() != nullptr && barrier_of(fiber) == nullptr;
    };
    if (wrong_mask)
        return "The mask has to name the lanes that make the call: often 0xffffffff, or a tile, is used in an if that "
               "some lanes skip.";
    if (std::ranges::any_of(fibers, is_unset))
        return "One thread has to initialise the barrier, init(&barrier, n) for n arrivals in each phase, and a "
               "__syncthreads() has to follow.";
    if (std::ranges::any_of(fibers,
                            [](const Fiber* f) { return f->parked && f->place.operation == WarpOperation::grid; }))
        return "All threads of all blocks have to come to the grid's sync(): often a block without work returns before "
               "it.";
    if (waits_in(fibers, "producer_acquire"))
        return "producer_acquire() waits until all have released the stage that comes next: often consumer_release() "
               "is missing behind its last use.";
    if (waits_in(fibers, "consumer_wait"))
        return "consumer_wait() waits until all producers have called producer_commit() for the stage that comes next: "
               "often that is missing behind the copies, or some threads of the group do not come there.";
    if (have_left(launch, fibers))
        return "So many threads of the block have ended, or more: a thread that leaves before the others calls "
               "arrive_and_drop(), or stays and arrives in each phase.";
    if (is_wrong_number_of_bytes(fibers))
        return "A phase of a barrier ends when as many bytes have come as it was told to expect (expect_tx): often "
               "that number is not the sum of the bulk copies.";
    if (std::string cause = cause_at_phase(fibers); !cause.empty()) return cause;
    switch (at_named_barrier(fibers)) {
        case AtNamedBarrier::lanes:
            return "Named barriers and the functions of tiles of more than 32 threads are for whole warps: a warp "
                   "arrives when all of its lanes that have not ended have come. Often the call stands in an if that "
                   "some lanes skip.";
        case AtNamedBarrier::again:
            return "A warp has arrived there again before the barrier had opened, which counts as if another one had "
                   "come. It has to wait for the others in between: often at a second barrier, which says that a "
                   "buffer is empty.";
        case AtNamedBarrier::tiles:
            return "All threads of a tile have to come to its functions, and a block has to have as many threads as "
                   "its tiles: often a warp has ended before, or the call stands in an if.";
        case AtNamedBarrier::warps:
            return "Often the number of threads in bar.sync or bar.arrive is not that of all threads which come "
                   "there, or one of them has the number of another barrier.";
        case AtNamedBarrier::nobody:
            break;
    }
    if (std::ranges::any_of(fibers, [&](const Fiber* fiber) { return count_of_latch(launch, fiber).has_value(); }))
        return "A latch opens when it was counted down as often as it was made for: often that number is not that of "
               "the threads which come, or some skip it.";
    if (std::ranges::any_of(fibers, [](const Fiber* fiber) {
            const auto code = reinterpret_cast<std::uintptr_t>(fiber->place.code);
            return fiber->parked && fiber->place.operation == WarpOperation::object &&
                   is_in(code - 1, "libcuxx/semaphore.h");
        }))
        return "Nobody releases the semaphore: often a thread that has acquired it leaves without that, acquires it a "
               "second time, or waits for one that wants it.";
    if (const Fiber* looping = in_a_loop(fibers)) {
        const auto& block = *static_cast<const ResidentBlock*>(looping->block)->checked;
        const std::uintptr_t looks_at = block.acquired_at[number_of(launch, looping)];
        const auto is_it = [&](const CheckedBlock::Lock& lock) { return lock.address == looks_at; };
        return looks_at != 0 && std::ranges::any_of(locks_of(launch, looping), is_it)
                   ? "Nobody gives back the lock: often its holder leaves without that, takes it a second time, or "
                     "waits somewhere for a thread that wants it, as for the other lanes of its warp."
                   : "Nobody stores what the loop waits for: often the thread that should waits itself, at a barrier, "
                     "say; or skips the store in an if; or its block can only begin when another one has ended.";
    }
    return "Often some threads never reach a barrier or a warp operation.";
}

}  // namespace

void report_deadlock(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers, const char* what) {
    const bool wrong_mask = is_wrong_mask(fibers);
    Finding finding{wrong_mask ? Kind::warp_mask : Kind::deadlock,
                    launch.kernel(),
                    {},
                    std::string("In a deadlock, ") + what + ".",
                    usual_cause(launch, fibers, wrong_mask)};
    for (const Fiber* fiber : ring_of_locks(launch, fibers)) {
        const auto& [awaited, held] = locks_of(launch, fiber);
        const std::string who = "thread " + index(fiber->thread) + " of block " + index(fiber->block->index);
        finding.participants.push_back({who, "took a lock, " + launch.what(held.address, 4) + ",", held.code - 1});
        finding.participants.push_back(
            {who, "waits for one, " + launch.what(awaited.address, 4) + ",", awaited.code - 1});
        finding.cause =
            "Each of them holds a lock that another one waits for: they do not take the locks in the same order. Let "
            "all "
            "threads take them in one order, such as that of their numbers or addresses.";
    }
    if (!finding.participants.empty()) return report(finding);
    // Operations of a warp come first, and the first of them in the text: often they stand in a branch.
    std::vector<Crowd> crowds;
    for (const auto& [place, crowd] : crowds_of(launch, fibers)) crowds.push_back(crowd);
    std::ranges::stable_sort(crowds, {}, [](const Crowd& crowd) {
        const SourcePlace place = source_place(crowd.code - 1);
        return std::tuple(!is_warp_operation(crowd.first->place), place.path, place.line);
    });
    for (const Crowd& crowd : crowds) {
        const Fiber* fiber = crowd.first;
        if (wrong_mask && is_warp_operation(fiber->place)) {
            const auto& block = *static_cast<const ResidentBlock*>(fiber->block);
            if (finding.participants.empty()) {
                finding.participants = where_lanes_parted(launch, *block.checked, block.index, number_of(launch, fiber),
                                                          fiber->place.mask, crowd.code);
                finding.detail += what_is_missing(launch, fibers, fiber);
            }
        }
        const std::string first = index(fiber->thread) + " of block " + index(fiber->block->index) + ",";
        if (crowd.threads == 1)
            finding.participants.push_back({"thread " + first, "waits in " + crowd.what, crowd.code - 1});
        else
            finding.participants.push_back(
                {std::to_string(crowd.threads) + " threads, first " + first, "wait in " + crowd.what, crowd.code - 1});
    }
    report(finding);
}

}  // namespace emulator
