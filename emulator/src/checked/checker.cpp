#include "checker.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "../engine/fault_handler.h"
#include "../engine/worker.h"
#include "../reports/source_places.h"
#include "../reports/wrong_index.h"
#include "../settings.h"
#include "deadlock_report.h"
#include "emulator/atomics.h"
#include "findings.h"
#include "host/host_objects.h"
#include "host/unordered_work.h"
#include "trace/trace.h"

namespace emulator {

__thread Checker *active_checker, *usual_checker;

Checker& Checker::instance() {
    static Checker& checker = *new Checker;
    return checker;
}

// ---------------------------------------------------------------------------------------- what the engine tells us of

void Checker::grid_begins(const Grid& grid) {
    launch_.begin(grid);
    order_.launch_begins();
    races_.launch_begins();
    addresses_.launch_begins();
    pointer_read_ = 0;
    copies_.launch_begins();
    const Seed::Value& interleave = value_of<settings::interleave>();
    may_interleave_ = !interleave.is_set && !counting;
    interleaves_ = interleave.number.has_value();
    interleaved_ = updates_ = 0;
    forget_local_arrays();
    active_checker = this;
    count_launch();
    if (counting) Counters::instance().grid_begins(grid);
}

void Checker::grid_ends() {
    complete_write();
    UnorderedWork::instance().kernel_ends(launch_.behind_last_block());
    if (counting) Counters::instance().grid_ends();
    races_.launch_ends();
    initialisation_.launch_ends();
    if (watching) Trace::instance().launch_is_over();
    active_checker = usual_checker = nullptr;
}

// What happened before is ordered before what comes, as by a new launch.
void Checker::grid_barrier_opens() {
    complete_write();
    launch_.renumber_blocks();
    order_.grid_barrier_opens();
}

void Checker::block_begins(ResidentBlock& resident) {
    if (counting) Counters::instance().block_begins(resident);
    if (resident.checked == nullptr) resident.checked = std::make_unique<CheckedBlock>(resident.shared);
    CheckedBlock& block = *resident.checked;
    copies_.block_begins(block.copies);
    copies_.block_begins(block.bulk_copies);
    for (const auto& [address, barrier] : block.barrier_objects)
        for (const auto& copy : barrier.copies) copies_.end(*copy);
    const dim3 grid = launch_.grid->grid;
    block.begin(launch_.number_of(
        resident.index.x + std::uint64_t{grid.x} * (resident.index.y + std::uint64_t{grid.y} * resident.index.z)));
    for (const CheckedLaunch::SharedVariable& v : launch_.shared_variables)
        block.shared.set_initialised(block.shared.begin() + v.begin, v.bytes, false);
    block.shared.set_initialised(block.shared.begin() + dynamic_shared_begin, launch_.grid->dynamic_shared, false);
}

void Checker::block_is_entered(ResidentBlock& block) {
    complete_write();
    if (counting) Counters::instance().block_is_entered(block);
    launch_.block = block.checked.get();
    launch_.renumber(*launch_.block);
    launch_.shared_memory = block.shared;
    launch_.cluster = block.member.cluster;
    addresses_.block_is_entered();
    look_whether_usual();
}

void Checker::barrier_opens(ResidentBlock& resident) {
    complete_write();
    CheckedBlock& block = *resident.checked;
    if (counting) Counters::instance().barrier_opens(block.barrier_code, resident.at_grid_barrier, resident.votes > 0);
    barriers_.barrier_opens(resident);
    order_.barrier_opens(block);
}

void Checker::thread_is_at_named_barrier(ResidentBlock& resident, unsigned id) {
    complete_write();
    order_.complete_volatile_load();
    order_.arrive(resident.checked->named_barriers[id]);
}

// Those that wait know what all have done before they came; those that only arrived do not.
void Checker::named_barrier_opens(ResidentBlock& resident, const NamedBarrier& barrier) {
    BarrierObject& object = resident.checked->named_barriers[barrier.number];
    object.completed = object.arriving;
    if (barrier.incomplete_warps == 0) object.arriving = {};
    for (const Fiber* fiber = barrier.waiting.first(); fiber != nullptr; fiber = fiber->next)
        order_.waited(object, thread_number(fiber->thread));
}

void Checker::thread_is_at_cluster_barrier(ResidentBlock& resident, std::uintptr_t code, bool releases) {
    complete_write();
    order_.complete_volatile_load();
    clusters_.thread_arrives(resident, code);
    order_.arrive_at_cluster(releases);
}

void Checker::cluster_barrier_opens(Cluster& cluster) {
    complete_write();
    order_.cluster_barrier_opens(cluster);
}

void Checker::cluster_barrier_opens_without_all(const Cluster& cluster) {
    clusters_.opens_without_all(cluster);
}

void Checker::thread_has_waited_for_cluster(const ResidentBlock& resident) {
    order_.has_waited_for_cluster(*resident.member.cluster);
}

void Checker::block_of_cluster_ends(const ResidentBlock& resident) {
    complete_write();
    clusters_.block_ends(resident);
}

void Checker::thread_is_at_barrier(ResidentBlock& resident, std::uintptr_t code) {
    order_.complete_volatile_load();
    barriers_.thread_arrives(resident, code);
}

// A lane is about to take part in an operation of the lanes in the mask.
void Checker::lane_is_at(ResidentBlock& resident, unsigned warp, unsigned mask, std::uintptr_t code) {
    order_.complete_volatile_load();
    warp_masks_.lane_arrives(*resident.checked, warp, mask, code);
}

void Checker::lanes_meet(ResidentBlock& resident, unsigned warp, unsigned lanes) {
    complete_write();
    CheckedBlock& block = *resident.checked;
    if (counting)
        Counters::instance().lanes_meet(warp, lanes, block.warp_operations[32 * warp + __builtin_ctz(lanes)].code);
    warp_masks_.lanes_meet(block, warp, lanes);
    order_.lanes_meet(block, warp, lanes);
}

void Checker::deadlock(const std::vector<Fiber*>& fibers, const char* what) {
    complete_write();
    report_deadlock(launch_, fibers, what);
}

void Checker::fault(const Fault& fault, std::uintptr_t code) {
    active_checker = usual_checker = nullptr;  // What we do from here on is not the kernel's.
    if (fault.kind == Fault::Kind::touch) return addresses_.fault(fault.address, fault.write, code);
    if (fault.kind == Fault::Kind::call) return addresses_.called(fault.address, code);
    SourcePlace function = source_place(code);
    if (text_of(function).starts_with('{'))  // The line with the name is above.
        while (function.line > 1 && text_of(function).find('(') == std::string::npos) --function.line;
    report({Kind::stack_overflow,
            launch_.kernel(),
            {{launch_.who(), "overflows its stack", code, 0, 0, function.path, function.line}},
            "",
            "Often a recursion that does not end, or a local array that is too large."});
}

void Checker::kernel_fails(cudaError_t error, const std::string& what, std::uintptr_t code) {
    active_checker = usual_checker = nullptr;
    const Kind kind = error == cudaErrorInvalidValue ? Kind::refused_launch : Kind::trap;
    // A warp function without the lanes that it needs may have been reported by what its mask says.
    if (kind == Kind::trap && is_told(code)) return;
    report({kind, launch_.kernel(), {{launch_.who(), what, code}}, "", ""});
}

void Checker::assertion_fails(const char* assertion, const char* file, unsigned line) {
    active_checker = usual_checker = nullptr;
    report(
        {Kind::assertion,
         launch_.kernel(),
         {{.who = launch_.who(), .what = std::string("fails assert(") + assertion + ")", .file = file, .line = line}},
         "",
         ""});
}

void Checker::shared_variable(std::size_t begin, std::size_t bytes, const DescribedVariable& type) {
    const auto same = [&](const CheckedLaunch::SharedVariable& v) { return v.begin == begin; };
    if (std::ranges::any_of(launch_.shared_variables, same)) return;
    launch_.shared_variables.push_back({begin, bytes, type});
    const auto begins = [&](ShadowMemory& shared) { shared.set_initialised(shared.begin() + begin, bytes, false); };
    begins(launch_.block->shared);
    if (launch_.cluster != nullptr)
        for (const ResidentBlock* each : launch_.cluster->blocks) begins(each->checked->shared);
}

// ------------------------------------------------------------------------------------------------- what threads do

template <bool writes>
void Checker::access(std::uintptr_t address, std::size_t bytes, AccessKind kind, std::uintptr_t code, bool at_once) {
    const bool may_be_pointer = !writes && at_once && bytes == sizeof(void*);
    complete_write();
    order_.complete_volatile_load();
    if (!writes && kind == AccessKind::through_volatile) order_.begin_volatile_load(address, code);
    if (writes && kind == AccessKind::through_volatile) {
        order_.release(address);
        // Behind a fence it raises a flag or frees a lock, for lanes of its own warp too. Warp-synchronous code of the
        // old days has no fences.
        const ReleaseFence& fence = launch_.block->fences[thread_number(threadIdx)].block;
        if (fence.any && fence.phase == launch_.block->phase) kind = AccessKind::atomic;
    }
    ShadowMemory* shadow = addresses_.shadow_at({address, bytes, writes, code}, at_once);
    if (shadow == nullptr) {
        if (may_be_pointer) virtual_call(address, code);
        return;
    }
    if (may_be_pointer) pointer_read_ = address;
    const Access access = present(kind, code, writes && takes_constant());
    if (launch_.cluster != nullptr) clusters_.meet(*shadow, {address, bytes, writes, code}, access);
    if (launch_.is_beside_others()) meet_others(*shadow, {address, bytes, writes, code}, access);
    if (copies_.any() && is_in_flight(*shadow, {address, bytes, writes, code}, access)) return;
    if constexpr (!writes) {
        if (!shadow->any_initialised(address, bytes))
            initialisation_.read_unwritten(address, bytes, code);
        else if (at_once && (bytes == 4 || bytes == 8) && shadow->is_filled(address, bytes))
            initialisation_.read_filled(address, bytes, code);
        races_.read(*shadow, address, bytes, access);
    } else {
        races_.write(*shadow, address, bytes, access);
        shadow->set_initialised(address, bytes);
        warp_masks_.store(address, bytes, code);
    }
    look_whether_usual();
}
template void Checker::access<false>(std::uintptr_t, std::size_t, AccessKind, std::uintptr_t, bool);
template void Checker::access<true>(std::uintptr_t, std::size_t, AccessKind, std::uintptr_t, bool);

// Whose memory all the bytes are; null: nobody's, or not one's alone, as the access will tell.
const ShadowMemory* Checker::owner(std::uintptr_t address, std::size_t bytes) const {
    const auto* pointer = reinterpret_cast<const void*>(address);
    const ShadowMemory* shadow = launch_.is_shared(address) ? &launch_.block->shared : shadow_of(pointer);
    if (shadow == nullptr) shadow = shadow_of_variable(pointer);
    return shadow != nullptr && shadow->contains(address, bytes) ? shadow : nullptr;
}

std::uint64_t Checker::stored_last(std::uintptr_t address, std::size_t bytes) const {
    const ShadowMemory* shadow = owner(address, bytes);
    if (shadow == nullptr) return 0;
    const Access access = shadow->last_write((address - shadow->begin()) / 4);
    return access.block << 10 | access.thread;
}

void Checker::update_is_late(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    complete_write();
    if (const ShadowMemory* shadow = owner(address, bytes))
        races_.update_is_late(*shadow, address, bytes, present(AccessKind::through_volatile, code, false));
}

void Checker::reads_only(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    complete_write();
    if (const ShadowMemory* shadow = owner(address, bytes))
        races_.read_only(*shadow, address, bytes, present(AccessKind::plain, code, false));
}

// Other streams have work that may run beside this launch. What they have stored for others to see is perhaps a flag.
void Checker::meet_others(ShadowMemory& shadow, const Attempt& attempt, Access access) {
    if (shadow.owner != nullptr) return;
    UnorderedWork& work = UnorderedWork::instance();
    if (work.copies_beside())
        work.access_beside_copies(attempt.address, attempt.bytes, attempt.write, access, attempt.code);
    if (kind_of(access) != AccessKind::plain)
        shadow.for_each_word(attempt.address, attempt.bytes, [&](std::size_t word, unsigned) {
            for (const Access stored : {shadow.last_write(word), shadow.other_write(word)})
                if (launch_.counts(stored) && launch_.is_earlier(stored) && kind_of(stored) != AccessKind::plain)
                    work.acquires(stored);
        });
}

void Checker::virtual_call(std::uintptr_t address, std::uintptr_t code) {
    constexpr std::size_t most_functions = 1024;
    if (pointer_read_ == 0 || !is_of_host_object(pointer_read_)) return;
    std::uintptr_t table = 0;
    std::memcpy(&table, reinterpret_cast<const void*>(pointer_read_), sizeof table);
    if (address - table >= most_functions * sizeof(void*) || !is_new(Kind::device_touches_host, code)) return;
    report(
        {Kind::device_touches_host,
         launch_.kernel(),
         {{launch_.who(),
           "calls a virtual function of an object that the host has constructed, " +
               launch_.what(pointer_read_, sizeof table),
           code - 1, pointer_read_, sizeof table}},
         "Its table of virtual functions is the host's, which a GPU cannot reach.",
         "Construct the object in a kernel, with placement new: new (pointer) Type(...). Copy to the device only the "
         "numbers that its constructor needs."});
}

// In the present thread's stack.
template <bool writes>
void Checker::local_access(std::uintptr_t address, std::size_t bytes, std::uintptr_t code, bool of_ended_function) {
    if (of_ended_function) return addresses_.hits_ended_function({address, bytes, writes, code});
    unsigned char* known = knowledge_of(address);
    const Uninterrupted here;
    const bool hits_gap = std::find(known, known + bytes, gap) != known + bytes;
    if (hits_gap) addresses_.hits_gap({address, bytes, writes, code});
    // Behind the gap may be whatever the thread, or the emulator, has on the stack: the store is not done.
    if (writes && (hits_gap || (addresses_.has_wrong_index() && begin_of_local_array(address) == 0)))
        return existing_worker->failure().end(cudaErrorIllegalAddress);
    if (hits_gap) return;
    if constexpr (writes) {
        std::memset(known, fine, bytes);
    } else if (std::all_of(known, known + bytes, [](unsigned char b) { return b == unwritten; })) {
        initialisation_.read_unwritten_local(address, bytes, code);
    }
}
template void Checker::local_access<false>(std::uintptr_t, std::size_t, std::uintptr_t, bool);
template void Checker::local_access<true>(std::uintptr_t, std::size_t, std::uintptr_t, bool);

void Checker::atomic(std::uintptr_t address, std::size_t bytes, AccessKind kind, AtomicChange change,
                     std::uintptr_t code) {
    complete_write();
    order_.acquire(address, code);
    order_.release(address);
    atomic_access(address, bytes, kind, AtomicUse::update, code, change);
}

void Checker::ordered_atomic(std::uintptr_t address, std::size_t bytes, OrderedAtomic how, std::uintptr_t code) {
    complete_write();
    order_.complete_volatile_load();
    const bool for_all = how.scope == AtomicScope::all;
    if (how.scope != AtomicScope::thread) {
        if (how.use != AtomicUse::store) order_.acquire(address, code, how.acquires);
        if (how.use != AtomicUse::load && how.releases) order_.release_all_before(address, for_all);
        if (how.use != AtomicUse::load && !how.releases) order_.release(address);
    }
    // What is atomic for one thread is plain for all others.
    const AccessKind kind = for_all                           ? AccessKind::atomic
                            : how.scope == AtomicScope::block ? AccessKind::atomic_in_block
                                                              : AccessKind::plain;
    atomic_access(address, bytes, kind, how.use, code, how.change);
    complete_write();
}

void Checker::atomic_access(std::uintptr_t address, std::size_t bytes, AccessKind kind, AtomicUse use,
                            std::uintptr_t code, AtomicChange change) {
    const Attempt attempt{address, bytes, use != AtomicUse::load, code};
    ShadowMemory* shadow = addresses_.shadow_at(attempt, true);
    if (shadow == nullptr) return;
    const bool compares = change == AtomicChange::compares_and_exchanges;
    if (use != AtomicUse::load) note_lock(address, bytes, change, code);
    const Access access = present(kind, code, change == AtomicChange::combines && bytes == 8,
                                  compares ? AtomicChange::exchanges : change);
    if (launch_.cluster != nullptr) clusters_.meet(*shadow, attempt, access);
    if (launch_.is_beside_others()) meet_others(*shadow, attempt, access);
    if (copies_.any() && is_in_flight(*shadow, attempt, access)) return;
    if (use != AtomicUse::store && !shadow->any_initialised(address, bytes))
        initialisation_.read_unwritten(address, bytes, code);
    else if (use != AtomicUse::store && bytes >= 4 && shadow->is_filled(address, bytes))
        initialisation_.read_filled(address, bytes, code);
    if (use == AtomicUse::load) return races_.read(*shadow, address, bytes, access);
    races_.write(*shadow, address, bytes, access);
    shadow->set_initialised(address, bytes);
}

// An exchange takes a lock, or gives back what its thread has taken.
void Checker::note_lock(std::uintptr_t address, std::size_t bytes, AtomicChange change, std::uintptr_t code) {
    auto& [lock, other_lock] = launch_.block->locks[thread_number(threadIdx)];
    CheckedBlock::Lock* const known = lock.address == address         ? &lock
                                      : other_lock.address == address ? &other_lock
                                                                      : nullptr;
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(address), std::min(bytes, sizeof word));
    const bool takes = change == AtomicChange::compares_and_exchanges ||
                       (change == AtomicChange::exchanges && (known == nullptr || !known->taken));
    if (takes && known == nullptr)
        other_lock = std::exchange(lock, {address, code, word == 0});
    else if (takes)
        known->taken |= word == 0;
    else if (known == &lock)
        lock = std::exchange(other_lock, {});
    else if (known != nullptr)
        other_lock = {};
}

void Checker::fence(bool for_all_blocks) {
    complete_write();
    order_.complete_volatile_load();
    order_.fence(for_all_blocks);
}

// ----------------------------------------------------------------------------------------------- asynchronous copies

ThreadCopies& Checker::of_thread(std::vector<ThreadCopies>& copies) const {
    const dim3 block = launch_.grid->block;
    if (copies.empty()) copies = std::vector<ThreadCopies>(std::size_t{block.x} * block.y * block.z);
    return copies[thread_number(threadIdx)];
}

namespace {

// A fault is of the line that begins a copy.
void touch(std::uintptr_t address, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    const auto look = [](std::uintptr_t at) { static_cast<void>(*reinterpret_cast<const volatile char*>(at)); };
    for (std::size_t i = 0; i < bytes; i += page) look(address + i);
    if (bytes > 0) look(address + bytes - 1);
}

}  // namespace

// Its read and its write happen now and once more when it is waited for: whatever is ordered with both of them is
// before its beginning or behind the wait. In between it is in flight.
void Checker::copy_begins(AsyncCopy copy) {
    complete_write();
    order_.complete_volatile_load();
    copy.begun = present(AccessKind::plain, copy.code, true);
    copy.thread = threadIdx;
    copy.block = blockIdx;
    races_.note_copy(copy.code);
    if (copy.given > 0) {
        if (ShadowMemory* source = addresses_.shadow_at({copy.from, copy.given, false, copy.code}, false)) {
            if (!source->any_initialised(copy.from, copy.given))
                initialisation_.read_unwritten(copy.from, copy.given, copy.code);
            races_.read(*source, copy.from, copy.given, copy.begun);
        }
        touch(copy.from, copy.given);
    }
    const Attempt attempt{copy.to, copy.bytes, true, copy.code};
    if (ShadowMemory* target = addresses_.shadow_at(attempt, false)) {
        const AsyncCopy* other = copies_.to(copy.to, copy.bytes);
        if (other == nullptr) {
            races_.write(*target, copy.to, copy.bytes, copy.begun);
            races_.complete_write_of_copy(copies_.repeats(copy));
        } else if (!other->brings_the_same(copy)) {
            report_in_flight(*other, false, "issues another copy to the same place", attempt);
        }
    }
    if (copy.barrier == 0) return copies_.begin(of_thread(launch_.block->copies), copy);
    bind_to_barrier(copy);
}

// No phase ends before its copies have.
void Checker::bind_to_barrier(AsyncCopy& copy) {
    CheckedBlock& owner = block_with(copy.barrier);
    BarrierObject& barrier = owner.barrier_objects[copy.barrier];
    copy.phase = barrier.phases;
    if (!copy.is_reduction || !copies_.has_reduction_like(copy)) barrier.copies.push_back(copies_.begin(copy));
    if (&owner == launch_.block) return order_.arrive(barrier);
    barrier.has_neighbours = true;
    order_.release_all_before(copy.barrier, true);
}

// The present block, or another one of its cluster.
CheckedBlock& Checker::block_with(std::uintptr_t shared_address) const {
    if (launch_.cluster != nullptr)
        for (const ResidentBlock* each : launch_.cluster->blocks)
            if (shared_address - reinterpret_cast<std::uintptr_t>(each->shared) < shared_memory_reserved)
                return *each->checked;
    return *launch_.block;
}

// As those above. One to global memory is made at once, since nobody needs to wait for it before the kernel ends; the
// source must stay until it was waited for all the same, and nobody may use what was written.
void Checker::bulk_copy_begins(AsyncCopy copy) {
    complete_write();
    order_.complete_volatile_load();
    copy.begun = present(AccessKind::plain, copy.code);
    copy.thread = threadIdx;
    copy.block = blockIdx;
    races_.note_copy(copy.code);
    const Attempt read{copy.from, copy.given, false, copy.code}, write{copy.to, copy.bytes, true, copy.code};
    ShadowMemory* source = copy.given > 0 ? addresses_.shadow_at(read, false) : nullptr;
    if (source != nullptr) {
        if (source->owner == launch_.block) proxies_.source_is_read(*source, read, copy.begun);
        if (!source->any_initialised(copy.from, copy.given))
            initialisation_.read_unwritten(copy.from, copy.given, copy.code);
        if (!is_in_flight(*source, read, copy.begun)) races_.read(*source, copy.from, copy.given, copy.begun);
    }
    if (copy.bytes > 0) {
        ShadowMemory* target = addresses_.shadow_at(write, false);
        if (target != nullptr && launch_.cluster != nullptr) clusters_.meet(*target, write, copy.begun);
        if (target != nullptr && !is_in_flight(*target, write, copy.begun))
            races_.write(*target, copy.to, copy.bytes, copy.begun);
        if (target == nullptr || copy.barrier == 0) {  // A fault is this line's.
            const void* const brought = copy.is_store ? copy.value.data() : reinterpret_cast<const void*>(copy.from);
            std::memcpy(reinterpret_cast<void*>(copy.to), brought, copy.is_store ? copy.bytes : copy.given);
            if (target == nullptr) return;
            target->set_initialised(copy.to, copy.bytes);
        } else {
            touch(copy.from, copy.given);
        }
    }
    if (copy.barrier == 0)
        copies_.begin(of_thread(launch_.block->bulk_copies), copy);
    else
        bind_to_barrier(copy);
}

// It has been made, as an atomic operation. Others may add to the place, too, but not read it.
void Checker::reduction_begins(AsyncCopy reduction) {
    complete_write();
    order_.complete_volatile_load();
    reduction.begun = present(AccessKind::atomic, reduction.code);
    reduction.thread = threadIdx;
    reduction.block = blockIdx;
    bind_to_barrier(reduction);
}

void Checker::bulk_copies_are_awaited(std::size_t all_but, bool only_read, std::uintptr_t code) {
    complete_write();
    order_.complete_volatile_load();
    ThreadCopies& thread = of_thread(launch_.block->bulk_copies);
    const auto read = [this](const AsyncCopy& c) {
        if (ShadowMemory* source = addresses_.shadow_at({c.from, c.given, false, c.code}, false))
            races_.read(*source, c.from, c.given, present(AccessKind::plain, c.code));
    };
    if (only_read) return copies_.wait_for_reads(thread, all_but, code, read);
    copies_.wait(thread, all_but, code, [&](const AsyncCopy& c) {
        if (!c.is_read) read(c);
        if (c.bytes == 0) return;
        if (ShadowMemory* target = addresses_.shadow_at({c.to, c.bytes, true, c.code}, false))
            races_.write(*target, c.to, c.bytes, present(AccessKind::plain, c.code));
    });
}

// What its bulk copies read, its shared memory, goes with it.
void Checker::block_ends() {
    complete_write();
    for (const ThreadCopies& thread : launch_.block->bulk_copies)
        AsyncCopies::for_each_unread(thread, [this](const AsyncCopy& copy) { report_outlives_block(copy); });
}

void Checker::proxy_fence() {
    complete_write();
    order_.complete_volatile_load();
    proxies_.fence();
}

// The load has been told of. As an asynchronous copy of its source it goes on until it is waited for.
void Checker::matrix_read(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    const Attempt read{address, bytes, false, code};
    ShadowMemory* shadow = addresses_.shadow_at(read, false);
    if (shadow == nullptr || shadow->owner != launch_.block) return;
    races_.note_matrix_read(code);
    races_.note_matrix_read(shadow->last_read((address - shadow->begin()) / 4).code);  // by the load
    proxies_.source_is_read(*shadow, read, present(AccessKind::plain, code), "reads it by wgmma");
    const dim3 block = launch_.grid->block;
    auto& all = launch_.block->matrix_reads;
    if (all.empty()) all.resize(std::size_t{block.x} * block.y * block.z);
    auto& groups = all[thread_number(threadIdx)];
    if (groups.empty()) groups.emplace_back();
    groups.back().push_back({address, code, static_cast<unsigned>(bytes)});
}

void Checker::matrices_are_group() {
    auto& all = launch_.block->matrix_reads;
    if (!all.empty()) all[thread_number(threadIdx)].emplace_back();
}

void Checker::matrices_are_awaited(std::size_t all_but) {
    complete_write();
    order_.complete_volatile_load();
    auto& all = launch_.block->matrix_reads;
    if (all.empty()) return;
    for (auto& groups = all[thread_number(threadIdx)]; groups.size() > all_but + 1; groups.pop_front())
        for (const CheckedBlock::MatrixRead& each : groups.front())
            races_.read(launch_.block->shared, each.address, each.bytes, present(AccessKind::plain, each.code));
}

void Checker::barrier(std::uintptr_t address, std::size_t bytes, BarrierUse use, std::uintptr_t code) {
    complete_write();
    order_.complete_volatile_load();
    CheckedBlock& owner = block_with(address);
    const bool is_here = &owner == launch_.block;
    BarrierObject& barrier = owner.barrier_objects[address];
    const AccessKind kind = launch_.cluster != nullptr ? AccessKind::atomic : AccessKind::atomic_in_block;
    switch (use) {
        case BarrierUse::init:
        case BarrierUse::inval:
            for (const auto& copy : barrier.copies) copies_.end(*copy);
            barrier = {};
            atomic_access(address, bytes, AccessKind::plain, AtomicUse::store, code);
            if (use == BarrierUse::inval) owner.shared.set_initialised(address, bytes, false);
            return;
        case BarrierUse::arrive:
        case BarrierUse::adjust:
            atomic_access(address, bytes, kind, AtomicUse::update, code);
            barrier.has_neighbours |= !is_here;
            if (use == BarrierUse::adjust) return;
            if (is_here) barrier.arrivers.set(thread_number(threadIdx));
            return is_here ? order_.arrive(barrier) : order_.release_all_before(address, true);
        case BarrierUse::complete:
            return HappensBefore::complete(barrier, owner.phase);
        case BarrierUse::waited:
            if (barrier.has_neighbours) order_.acquire(address, code, true);
            order_.waited(barrier);
            atomic_access(address, bytes, kind, AtomicUse::load, code);
            break;
    }
    // The first that waits for a phase makes its copies, and who waits later knows of that.
    const auto is_over = [&](const auto& copy) { return copy->phase < barrier.phases; };
    if (std::ranges::none_of(barrier.copies, is_over)) return;
    for (const auto& copy : barrier.copies)
        if (is_over(copy)) make_copy(*copy);
    std::erase_if(barrier.copies, is_over);
    BarrierObject::Arrived arriving = std::exchange(barrier.arriving, {});
    order_.arrive(barrier);
    HappensBefore::complete(barrier, owner.phase);
    --barrier.phases;
    barrier.arriving = std::move(arriving);
}

void Checker::copies_are_awaited(std::size_t all_but, std::uintptr_t code) {
    complete_write();
    order_.complete_volatile_load();
    copies_.wait(of_thread(launch_.block->copies), all_but, code, [this](const AsyncCopy& copy) { make_copy(copy); });
}

// It is in flight until now.
void Checker::make_copy(const AsyncCopy& c) {
    if (c.barrier != 0) copies_.end(c);
    if (c.is_reduction) return;
    const Access access = present(AccessKind::plain, c.code, true);
    if (c.given > 0)
        if (ShadowMemory* source = addresses_.shadow_at({c.from, c.given, false, c.code}, false))
            races_.read(*source, c.from, c.given, access);
    ShadowMemory* target = c.bytes > 0 ? addresses_.shadow_at({c.to, c.bytes, true, c.code}, false) : nullptr;
    if (target != nullptr) {
        races_.write(*target, c.to, c.bytes, access);
        target->set_initialised(c.to, c.bytes);
    }
    auto* to = reinterpret_cast<char*>(c.to);
    if (c.is_store) {
        std::memcpy(to, c.value.data(), c.bytes);
        return complete_write();
    }
    const std::size_t given = std::min(c.given, c.bytes);
    std::memcpy(to, reinterpret_cast<const void*>(c.from), given);
    std::memset(to + given, 0, c.bytes - given);
    complete_write();
}

namespace {

std::string newest(const ThreadCopies::Wait& wait) {
    return wait.all_but == 1 ? "the newest group" : "the newest " + std::to_string(wait.all_but) + " groups";
}

std::string why_in_flight(const AsyncCopy& copy, bool at_its_source) {
    if (copy.barrier != 0)
        return "nobody has waited for the barrier, or the stage of a pipeline, that it was issued for.";
    const ThreadCopies& thread = *copy.owner;
    const ThreadCopies::Wait& wait = thread.last_wait;
    if (thread.waits == copy.waits_before)
        return copy.committed ? "its thread has not waited for it."
                              : "its thread has neither committed it to a group nor waited for it.";
    const std::string the_wait = "the wait at " + source_line_and_call(wait.code - 1);
    if (wait.only_read && !at_its_source)
        return the_wait + " is for what its thread's copies read (.read), not for what they write.";
    if (!copy.committed || wait.committed <= copy.group)
        return the_wait + " is for groups that were committed before it, and this copy was not.";
    const std::size_t newer = wait.committed - 1 - copy.group;
    const std::string number = std::to_string(newer);
    return the_wait + " lets " + newest(wait) + " go on, and the copy is in the newest" +
           (newer == 0 ? ": the wait has to be for all groups."
                       : " but " + number + ": at most " + number + " may go on.");
}

}  // namespace

// Whether an access touches what a copy in flight copies to, or changes what it copies from. That is reported and no
// more, since all that follows from it is the same mistake.
bool Checker::is_in_flight(const ShadowMemory& shadow, const Attempt& attempt, Access now) {
    const AsyncCopy* copy = copies_.to(attempt.address, attempt.bytes);
    const bool at_its_source = copy == nullptr;
    if (copy == nullptr && attempt.write) copy = copies_.from(attempt.address, attempt.bytes);
    if (copy == nullptr || (copy->is_reduction && is_atomic(now))) return false;
    // Two blocks that nothing orders: no wait would help.
    const bool is_ordered =
        !launch_.is_recent(copy->begun) || same_thread(copy->begun, now) || order_.ordered(shadow, copy->begun, now);
    if (copy->begun.block != now.block && !is_ordered) return false;
    report_in_flight(*copy, at_its_source, is_ordered, attempt);
    return true;
}

void Checker::report_outlives_block(const AsyncCopy& copy) {
    if (copy.given == 0 || !is_new(Kind::copy_in_flight, copy.code)) return;
    report(
        {Kind::copy_in_flight,
         launch_.kernel(),
         {{CheckedLaunch::who(copy.thread, copy.block),
           "issued a copy that reads " + launch_.what(copy.from, copy.given), copy.code - 1, copy.from, copy.given}},
         "Its block has ended, and the copy may still read the block's shared memory, which is another block's now: " +
             why_in_flight(copy, true),
         "A thread must not end before cp.async.bulk.wait_group.read, or wait_group, has waited for all of its copies "
         "from shared memory."});
}

void Checker::report_in_flight(const AsyncCopy& copy, bool at_its_source, bool is_ordered, const Attempt& attempt) {
    // What else is done at the target is the same mistake.
    const bool new_pair = is_new(Kind::copy_in_flight, copy.code, attempt.code);
    const std::uintptr_t wait = copy.owner == nullptr ? 0 : copy.owner->last_wait.code;
    if (!new_pair || (!at_its_source && !is_new(Kind::copy_in_flight, copy.code, wait))) return;
    const std::uintptr_t address = at_its_source ? copy.from : copy.to;
    const std::size_t bytes = at_its_source ? copy.given : copy.bytes;
    const std::string thread = CheckedLaunch::who(copy.thread, copy.block);
    Finding finding{
        Kind::copy_in_flight,
        launch_.kernel(),
        {{thread,
          (at_its_source       ? "issued a copy that reads "
           : copy.is_store     ? "issued an asynchronous store to "
           : copy.is_reduction ? "issued an asynchronous reduction of "
                               : "issued a copy to ") +
              launch_.what(address, bytes),
          copy.code - 1, address, bytes},
         {launch_.who(),
          at_its_source   ? "changes it"
          : attempt.write ? "writes there"
                          : "reads it",
          attempt.code - 1, attempt.address, attempt.bytes}},
        (copy.is_store       ? "The store issued at "
         : copy.is_reduction ? "The reduction issued at "
                             : "The copy issued at ") +
            source_line_and_call(copy.code - 1) + " is still in flight: " + why_in_flight(copy, at_its_source),
        at_its_source ? "What a copy reads must stay as it is until its thread has waited for the copy."
        : copy.bulk   ? "What a bulk copy writes in global memory may be used behind cp.async.bulk.wait_group, without "
                        ".read, of its thread."
                      : "What a copy brings may be used behind the wait of the thread that issued it, and by other "
                        "threads behind a barrier after that wait."};
    if (copy.barrier != 0) {
        if (!at_its_source)
            finding.cause =
                copy.is_store       ? "What st.async stores may be used by threads that have waited for its barrier."
                : copy.is_reduction ? "What red.async adds up may be used by threads that have waited for its barrier."
                                    : "What a copy brings may be used by threads that have waited for its barrier.";
        return report(finding);
    }
    if (!at_its_source && !copy.bulk && !is_ordered) {
        finding.detail = "Nothing orders the copy issued at " + source_line_and_call(copy.code - 1) +
                         " and that: no barrier lies between.";
        finding.cause = order_of_copies;
        return report(finding);
    }
    const ThreadCopies& copies = *copy.owner;
    if (copies.waits == copy.waits_before && finding.participants[1].who != thread)
        finding.detail += " A wait is only for the copies of the thread itself.";
    if (copies.waits > copy.waits_before)
        finding.participants.push_back(
            {thread,
             "waited for all of its groups of copies" +
                 (copies.last_wait.all_but == 0 ? "" : ", but for " + newest(copies.last_wait)),
             copies.last_wait.code - 1});
    report(finding);
}

void report_index(const char* file, unsigned line, const char* array, const std::string& index) {
    Checker* checker = active_checker;
    const Uninterrupted here;
    if (checker != nullptr) checker->index_is_reported(SourcePlace{file, line}.name());
    if (!is_new(Kind::out_of_bounds, reinterpret_cast<std::uintptr_t>(file) + line)) return;
    const std::string cause = cause_of_index(std::strtoll(index.c_str(), nullptr, 10), 1);
    report({Kind::out_of_bounds,
            checker == nullptr ? "" : checker->launch().kernel(),
            {{checker == nullptr ? "host code" : checker->launch().who(),
              "uses index " + index + " of an array that is " + array, 0, 0, 0, file, line}},
            "",
            cause.empty()
                ? "Often the index was not compared with the number of elements, or with <= where < was meant."
                : cause});
}

void report_division(const std::string& dividend, std::uintptr_t code) {
    const Checker* checker = active_checker;
    if (checker == nullptr) return;
    const Uninterrupted here;
    if (!is_new(Kind::division_by_zero, code)) return;
    report({Kind::division_by_zero,
            checker->launch().kernel(),
            {{checker->launch().who(), "divides " + dividend + " by 0", code - 1}},
            "A GPU does not stop there: quotient and remainder have all bits set, which is -1 in an int.",
            "Often a count or a size is 0 that the rest of the kernel does not expect to be."});
}

void report_shift(const std::string& shifted, unsigned bits, const std::string& distance, std::uintptr_t code) {
    const Checker* checker = active_checker;
    if (checker == nullptr) return;
    const Uninterrupted here;
    if (!is_new(Kind::shift, code)) return;
    report(
        {Kind::shift,
         checker->launch().kernel(),
         {{checker->launch().who(),
           "shifts " + shifted + ", a number of " + std::to_string(bits) + " bits, by " + distance, code - 1}},
         "C++ leaves the result open. The instruction of a GPU shifts all bits out, and that of x86-64 shifts by the "
         "remainder of a division by " +
             std::to_string(bits) + ".",
         "Often it is the mask of n bits, (1u << n) - 1, and n may be all of them: shift a number of 64 bits, or ask "
         "for that case first."});
}

}  // namespace emulator
