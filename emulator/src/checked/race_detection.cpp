#include "race_detection.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "../reports/source_places.h"
#include "active_checker.h"
#include "findings.h"
#include "host/process_map.h"
#include "host/unordered_work.h"

namespace emulator {

namespace {

const char* const unchanged = "the value did not change in this run";
const char* const adds_or_reads =
    "Threads that add to one element need atomicAdd(). Threads that read what others wrote a step before need a "
    "__syncthreads(). Or else the index is wrong.";
const char* const no_look =
    "beside atomic operations, a plain load is no race only if its thread then changes the word atomically";

}  // namespace

const char* const order_of_copies =
    "What an asynchronous copy brings may be used by other threads behind a barrier that comes after the wait of the "
    "thread that issued it. What it overwrites must have been used before a barrier that comes before the copy.";

// Up to 16 bytes; the rest is 0.
RaceDetection::Value RaceDetection::value_at(std::uintptr_t address, std::size_t bytes) {
    Value value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
    return value;
}

void RaceDetection::hold_against_writes(ShadowMemory& shadow, std::size_t word, Access now) {
    for (const Access& written : {shadow.last_write(word), shadow.other_write(word)})
        if (races(shadow, written, now)) found({written, true}, {now, false}, shadow.begin() + 4 * word);
}

// Most often: a counter that nobody touches but atomically.
template <bool in_shared>
inline bool RaceDetection::is_one_more_atomic(ShadowMemory& shadow, std::size_t word, Access now) const {
    const Access written = shadow.last_write(word);
    Access& other = shadow.other_write(word);
    const auto is_harmless = [&](Access a) {
        return !counts<in_shared>(a) || (kind_of(a) == AccessKind::atomic && !are_of_two_widths(a, now));
    };
    if (kind_of(now) != AccessKind::atomic || counts<in_shared>(shadow.last_read(word)) || !is_harmless(written) ||
        !is_harmless(other))
        return false;
    if (!same_thread(written, now) && !stays<in_shared>(shadow, other, written, now)) other = written;
    return true;
}

void RaceDetection::hold_against_all(ShadowMemory& shadow, std::size_t word, Access now, std::uintptr_t address,
                                     std::size_t bytes) {
    if (is_shared(shadow) ? is_one_more_atomic<true>(shadow, word, now) : is_one_more_atomic<false>(shadow, word, now))
        return;
    hold_against_each(shadow, word, now, address, bytes);
}

// Atomic operations of two threads do not race, nor do stores of one constant. So what comes later may race with the
// first of two writes and not with the second, and both are kept: the first is the other one.
void RaceDetection::hold_against_each(ShadowMemory& shadow, std::size_t word, Access now, std::uintptr_t address,
                                      std::size_t bytes) {
    const Access written = shadow.last_write(word);
    Access& other = shadow.other_write(word);
    const std::array reads = {shadow.last_read(word), shadow.other_read(word)};
    if (is_atomic(now))
        for (const Access& read : reads) learn_looks(read, now);
    const std::uintptr_t at = shadow.begin() + 4 * word;
    const bool races_with_last = races(shadow, written, now);
    if (races_with_last)
        found_by_write({written, true}, now, at, address, bytes);
    else if (races(shadow, other, now))
        found_by_write({other, true}, now, at, address, bytes);
    for (const Access& read : reads)
        if (races(shadow, read, now)) {
            found_by_write({read, false}, now, at, address, bytes);
            break;
        }
    // A plain store that frees a lock is a mistake, which shows at the atomic operation that comes next. What the lock
    // is for shall not be reported besides.
    const bool frees =
        kind_of(now) == AccessKind::plain && is_atomic(written) && (races_with_last || same_thread(written, now));
    const bool is_reported = races_with_last && is_atomic(now);
    // A plain store of which only some of those know that operate on the word atomically: it initialises it, say. A
    // barrier tells all who can reach shared memory, but no other block of global memory.
    const auto is_plain_beside = [&](Access a) {
        return !is_atomic(a) && a.block == now.block && (a.phase == now.phase || !is_shared(shadow));
    };
    const bool stays = is_atomic(now) && is_atomic(written) && is_plain_beside(other);
    const bool goes_along = same_thread(written, now) ? is_atomic(now) && !is_atomic(written)
                                                      : is_atomic(written) || written.constant ||
                                                            (is_atomic(now) && is_plain_beside(written));
    if (goes_along && !is_reported && !stays) other = written;
    if (frees) order_.release(at);
}

// Nothing orders the two. A load is one of them, or both are atomic with too small a scope.
void RaceDetection::found(Side before, Side now, std::uintptr_t word) {
    const auto is_plain_load = [](Side s) { return !s.writes && !is_atomic(s.access); };
    if (!is_atomic(before.access) && !is_atomic(now.access)) return report_race(before, now, word);
    if (!is_plain_load(before) && !is_plain_load(now)) return report_race(before, now, word);
    const std::uint32_t load = (before.writes ? now : before).access.code;
    const std::uint32_t atomic = (before.writes ? before : now).access.code;
    if (looks_.contains(load) || loads_beside_atomics_.contains({load, atomic})) return;
    const bool is_own = is_of_own_word(before.access) || is_of_own_word(now.access);
    loads_beside_atomics_.emplace(std::pair(load, atomic), finding(before, now, word, is_own ? "" : no_look));
}

void RaceDetection::found_by_write(Side before, Access now, std::uintptr_t word, std::uintptr_t address,
                                   std::size_t bytes) {
    if (is_atomic(now) || bytes > sizeof(Value)) return found(before, {now, true}, word);
    if (pending_.bytes != 0) return;
    pending_ = {address, bytes, value_at(address, bytes), before, {now, true}, word};
    usual_checker = nullptr;
}

void RaceDetection::complete_pending_write() {
    const PendingWrite w = std::exchange(pending_, {});
    const bool same = value_at(w.address, w.bytes) == w.before;
    const bool was_constant = w.earlier.access.constant && change_of(w.earlier.access) != AtomicChange::combines;
    if (same && w.earlier.writes && was_constant && w.now.access.constant) return;
    report_race(w.earlier, w.now, w.word, same ? unchanged : "");
}

void RaceDetection::complete_write_of_copy(bool repeated) {
    const PendingWrite w = std::exchange(pending_, {});
    const bool same = repeated && w.earlier.writes && w.earlier.access.constant;
    if (w.bytes != 0 && !same) report_race(w.earlier, w.now, w.word);
}

// An atomic operation that follows a plain load of its word: the load was a look whether it is worth it.
inline void RaceDetection::learn_looks(Access read, Access atomic) {
    if (!same_thread(read, atomic) || read.phase != atomic.phase) return;
    (is_of_own_word(atomic) ? own_operands_.at(atomic.code).loads : looks_).insert(read.code);
}

void RaceDetection::launch_ends() {
    launch_is_over_ = true;
    for (const auto& [code, own] : std::exchange(own_operands_, {}))
        if (!own.differ) looks_.insert(own.loads.begin(), own.loads.end());
    for (const auto& [codes, each] : loads_beside_atomics_)
        if (!looks_.contains(codes.first) && is_new_race(each.participants[0].code + 1, each.participants[1].code + 1))
            report(each);
    loads_beside_atomics_.clear();
    for (const LockstepPair& each : lockstep_pairs_)
        if (!waiting_loops_.contains(each.before.access.code) && !waiting_loops_.contains(each.now.access.code))
            report_race(each.before, each.now, each.word);
    lockstep_pairs_.clear();
    for (const auto& [codes, each] : races_of_copies_)
        if (is_new_race(codes.first, codes.second)) report(each);
    races_of_copies_.clear();
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

void RaceDetection::report_race(Side before, Side now, std::uintptr_t word, const char* note) {
    // A loop that waits for a flag is none of those that lockstep was to make right. It may be known for one later.
    if ((is_volatile(before.access) || is_volatile(now.access)) && !launch_is_over_)
        return lockstep_pairs_.push_back({before, now, word});
    const std::pair codes(whole_code_address(before.access.code), whole_code_address(now.access.code));
    if ((is_copy(before) || is_copy(now)) && !launch_is_over_) {
        if (!races_of_copies_.contains(codes)) races_of_copies_.emplace(codes, finding(before, now, word, note));
    } else if (is_new_race(codes.first, codes.second)) {
        report(finding(before, now, word, note));
    }
}

bool RaceDetection::is_new_race(std::uintptr_t code, std::uintptr_t now_code) {
    initialisation_.is_race(code, now_code);
    if (!is_new(Kind::race, code, now_code)) return false;
    const auto is_copy = [&](std::uintptr_t c) { return copies_.contains(static_cast<std::uint32_t>(c)); };
    if (!is_copy(code) && !is_copy(now_code)) return true;
    const bool is_first = is_new(Kind::copy_in_flight, code, now_code);
    return (code == now_code || is_new(Kind::copy_in_flight, now_code, code)) && is_first;
}

void RaceDetection::update_is_late(const ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes,
                                   Access access) {
    shadow.for_each_word(address, bytes, [&](std::size_t word, unsigned mask) {
        const Access before = shadow.last_write(word), now = with_bytes(access, mask);
        if (launch_.is_earlier(before) || (before.bytes & now.bytes) == 0 || same_thread(before, now)) return;
        if (!is_new_race(whole_code_address(before.code), whole_code_address(now.code))) return;
        Finding each = finding({before, true}, {now, true}, shadow.begin() + 4 * word, "");
        each.detail = "What the first one stored is lost: the second one had loaded the value before.";
        each.cause = each.cause_in_one_line =
            "With volatile, ++ and += are still a load and a store, and others come between: take atomicAdd() and its "
            "like.";
        report(each);
    });
}

void RaceDetection::read_only(const ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access) {
    if (is_shared(shadow)) return;
    shadow.for_each_word(address, bytes, [&](std::size_t word, unsigned mask) {
        const Access before = shadow.last_write(word), now = with_bytes(access, mask);
        if (launch_.is_earlier(before) || (before.bytes & now.bytes) == 0) return;
        if (races(shadow, before, now)) return;  // as any load would
        if (!is_new_race(whole_code_address(before.code), whole_code_address(now.code))) return;
        Finding each = finding({before, true}, {now, false}, shadow.begin() + 4 * word, "");
        each.detail =
            "__ldg() and ld.global.nc may find what was there before the kernel began: their cache does not "
            "see what a kernel stores.";
        each.cause = "Load it as any other variable, or store it in an earlier launch.";
        report(each);
    });
}

// Why nothing orders the two.
std::string RaceDetection::what_is_missing(Access before, Access now) const {
    if (is_matrix_read(before) || is_matrix_read(now))
        return "Nothing orders the two. A wgmma reads its factors until its group was waited for (wgmma.wait_group).";
    if (same_warp(before, now))
        return "Both are in one warp. Nothing orders the two: no barrier and no __syncwarp() lies between.";
    if (!order_.ordered_by_wider_fences(before, now) && order_.ordered_by_acquire(before, now))
        return "The atomic operations by which the second thread could know of the first one are relaxed: they order "
               "nothing.";
    if (before.block == now.block) return "Nothing orders the two: no barrier lies between.";
    if (is_out_of_scope(before, now))
        return "The scope of atomicAdd_block() and its like is the block, as with cuda::thread_scope_block, and these "
               "are two blocks.";
    if (order_.ordered_by_wider_fences(before, now))
        return "The fence between the two, a __threadfence_block() or one like it, orders only within a block, and "
               "these are two blocks.";
    if (launch_.is_in_cluster(before))
        return "Nothing orders the two: between blocks of a cluster, cluster.sync() does, or an mbarrier.";
    return "Nothing orders what two blocks of a launch do, except atomic operations with fences, or a release and an "
           "acquire.";
}

// Whether the thread that has stored there had also loaded the word since the last barrier.
bool RaceDetection::has_read(Access store, std::uintptr_t word) const {
    const auto* pointer = reinterpret_cast<const void*>(word);
    ShadowMemory* shadow = launch_.is_shared(word) ? &launch_.block->shared : shadow_of(pointer);
    if (shadow == nullptr) return false;
    const std::size_t at = (word - shadow->begin()) / 4;
    const auto is_its_own = [&](Access read) {
        return launch_.counts(read) && same_thread(read, store) && read.phase == store.phase;
    };
    return is_its_own(shadow->last_read(at)) || is_its_own(shadow->other_read(at));
}

std::string RaceDetection::usual_cause(Side before, Side now, std::uintptr_t word) const {
    const auto is_plain_store = [](Side s) { return s.writes && kind_of(s.access) == AccessKind::plain; };
    const bool in_block = before.access.block == now.access.block;
    const bool is_of_grid =
        !launch_.is_shared(word) && launch_.grid->cooperative;  // Other blocks may use the word, too.
    if (is_out_of_scope(before.access, now.access))
        return "Words that several blocks change need the function without _block, atomicAdd(), atomicCAS() and so on, "
               "or cuda::thread_scope_device.";
    if (are_of_two_widths(before.access, now.access))
        return "Sums of 4 and of 8 bytes are not atomic to each other, and what the one carries over the other does "
               "not see. Give all of them the same type.";
    if (is_of_own_word(before.access) || is_of_own_word(now.access))
        return "What one thread stores there between another one's load and its atomic operation is lost. Let one "
               "operation do both, such as atomicAdd() or atomicMax(); or store by a loop around atomicCAS(), which "
               "begins again if the word has changed.";
    if (order_.ordered_by_wider_fences(before.access, now.access))
        return "What other blocks shall see needs a __threadfence().";
    if (order_.ordered_by_acquire(before.access, now.access))
        return "Load with memory_order_acquire what another thread stores with memory_order_release, or let a fence "
               "follow.";
    if ((is_plain_store(before) && is_atomic(now.access)) || (is_plain_store(now) && is_atomic(before.access)))
        return "A plain store orders nothing. If it frees a lock or raises a flag, take atomicExch() behind a "
               "__threadfence(); " +
               std::string(is_of_grid ? "if it is the first value, a this_grid().sync() is missing."
                           : in_block ? "if it is the first value, a __syncthreads() is missing."
                           : launch_.is_in_cluster(before.access)
                               ? "if it is the first value, a cluster.sync() is missing."
                               : "if it is the first value, store it in an earlier launch; if a counter has told the "
                                 "thread that the others are done with it, each of them needs a __threadfence() before "
                                 "it counts.");
    if (is_matrix_read(before.access) || is_matrix_read(now.access))
        return "The factors have to be there, behind a barrier, before the wgmma, and to stay until the wait for its "
               "group; others may overwrite them behind a barrier that comes after that wait.";
    if (in_block && (is_copy(before) || is_copy(now))) return order_of_copies;
    if (launch_.is_in_cluster(before.access) && (is_copy(before) || is_copy(now)))
        return "What an asynchronous copy or store brings may be used by threads that have waited for its mbarrier. "
               "What it overwrites must have been used before.";
    if (!in_block && launch_.is_in_cluster(before.access))
        return "Often a cluster.sync() is missing: before what another block wrote is read, or before it is "
               "overwritten.";
    const CheckedBlock& block = *launch_.block;
    if (const std::uintptr_t flag = block.acquired_by[now.access.thread];
        in_block && now.access.block == block.number && waiting_loops_.contains(static_cast<std::uint32_t>(flag)))
        return "The second thread has waited for a flag before, at " + source_line(flag - 1) +
               ", and a flag alone orders nothing: the thread that sets it needs a __threadfence_block() between its "
               "accesses and the store to the flag. Or use cuda::atomic_ref, with release and acquire.";
    if (before.writes && now.writes)
        return "Two threads write the same element: often an index is wrong. If the one is to come before the other, " +
               std::string(in_block ? "a __syncthreads() is missing between them." : "that needs a second launch.");
    if (is_of_grid)
        return "Often a barrier is missing: before what others wrote is read, or before it is overwritten. It has to "
               "be "
               "this_grid().sync() where other blocks write or read it, too.";
    if (in_block && before.writes != now.writes && has_read(before.writes ? before.access : now.access, word))
        return adds_or_reads;
    if (launch_.is_shared(word) || in_block)
        return "Often a __syncthreads() is missing: before what others wrote is read, or before it is overwritten. All "
               "threads of the block have to reach it; " +
               std::string(same_warp(before.access, now.access)
                               ? "for the lanes of one warp a __syncwarp() is enough."
                               : "if some have returned, or only some warps take part, those need a bar.sync with "
                                 "their number, or a cuda::barrier. A __syncwarp() is for one warp alone.");
    return "Often two blocks add to one counter without atomicAdd(), or one reads what another one writes: that "
           "needs a second launch, or fences and an atomic operation that says it is written.";
}

Finding RaceDetection::finding(Side before, Side now, std::uintptr_t word, const char* note) const {
    const bool of_two_launches = launch_.is_earlier(before.access);
    const bool in_block = before.access.block == now.access.block;
    const bool scope_matters = is_out_of_scope(before.access, now.access);
    const auto did = [&](Side s) -> std::string {
        if (is_copy(s)) return s.writes ? "copied asynchronously to " : "copied asynchronously from ";
        if (!is_atomic(s.access)) return s.writes ? "wrote " : "read ";
        const bool for_block = scope_matters && kind_of(s.access) == AccessKind::atomic_in_block;
        return std::string(s.writes ? "changed" : "read") +
               (for_block ? " (atomically for its own block) " : " (atomically) ");
    };
    // The shadow memory keeps words of 4 bytes, and which bytes of the word each of the two touched.
    const unsigned both = static_cast<unsigned>(before.access.bytes & now.access.bytes);
    const std::uintptr_t at = word + static_cast<unsigned>(std::countr_zero(both));
    const auto bytes = static_cast<std::size_t>(std::popcount(both));
    if (of_two_launches) {
        const UnorderedWork& work = UnorderedWork::instance();
        return {Kind::unordered,
                launch_.kernel(),
                {work.participant(before.access, did(before) + launch_.what(at, bytes)),
                 {launch_.who(now.access) + work.in_present_stream(), did(now) + "it",
                  whole_code_address(now.access.code) - 1, at, bytes}},
                work.missing_order(before.access.block),
                UnorderedWork::instance().how_to_order(before.access.block),
                note};
    }
    return {
        Kind::race,
        launch_.kernel(),
        {{launch_.who(before.access), did(before) + launch_.what(at, bytes), whole_code_address(before.access.code) - 1,
          at, bytes},
         {launch_.who(now.access), did(now) + "it", whole_code_address(now.access.code) - 1, at, bytes}},
        what_is_missing(before.access, now.access),
        usual_cause(before, now, word),
        note,
        before.writes && now.writes && !is_atomic(before.access) && !is_atomic(now.access) && !is_copy(before) &&
                !is_copy(now)
            ? "Two threads write the same element: often the index is wrong, such as i / 2 for i, or one of them alone "
              "is to write. A barrier helps only if the two are in different rounds of a loop."
        : in_block && before.writes != now.writes && !is_copy(before) && !is_copy(now) ? adds_or_reads
                                                                                       : "",
    };
}

}  // namespace emulator
