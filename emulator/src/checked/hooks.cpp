// What the compiler calls in the checked build: for -fsanitize=thread each access to memory that another thread might
// see, for -fsanitize=bounds each index that an array does not have. These are the names of the sanitizers' own
// libraries, which are not linked.

#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "../engine/called_by_kernel.h"
#include "../engine/worker.h"
#include "../memory/memory.h"
#include "../runtime_api/observers.h"
#include "../settings.h"
#include "checker.h"
#include "counters/counters.h"
#include "emulator/check.h"
#include "host/allocation_names.h"
#include "host/allocations.h"
#include "host/copies_to_host.h"
#include "host/host_objects.h"
#include "host/unordered_work.h"
#include "local_arrays.h"
#include "trace/trace.h"

namespace emulator {
namespace {

// The executable's own thread-local variables, threadIdx among them, end where the thread pointer points, and on ARM
// begin there, behind two words of the C library's.
std::uintptr_t thread_local_bytes = 0;

void find_thread_locals() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void*) {
            for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
                const auto& part = info->dlpi_phdr[i];
                if (part.p_type == PT_TLS) thread_local_bytes = part.p_memsz + part.p_align;
            }
            return 1;  // the executable comes first
        },
        nullptr);
}

inline bool is_local(std::uintptr_t address) {
    return address - own_stack.begin < own_stack.bytes;
}

// Whether nothing can be wrong about the local bytes, as nearly always.
inline bool is_fine(std::uintptr_t address, std::size_t bytes) {
    const unsigned char* known = knowledge_of(address);
    if (bytes == 4) {
        std::uint32_t all;
        std::memcpy(&all, known, 4);
        return all == 0;
    }
    std::uint64_t all = 1;
    if (bytes == 8) std::memcpy(&all, known, 8);
    return all == 0;
}

inline bool is_built_in(std::uintptr_t address) {
    const auto thread_pointer = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
#if defined(__x86_64__)
    return thread_pointer - address <= thread_local_bytes;
#else
    return address - thread_pointer < 2 * sizeof(void*) + thread_local_bytes;
#endif
}

// Whether the address is of a local variable or of a built-in one: each thread has its own.
inline bool is_own(std::uintptr_t address) {
    return is_local(address) || is_built_in(address);
}

// A watched kernel's threads take turns, access by access, so that warps meet at locks and atomic variables as they may
// on a GPU. `works`: this is not a look that may be repeated until another thread does something.
void others_go_on(const void* code, bool works, bool of_other_block = false) {
    Counters::instance().complete();
    existing_worker->step_aside(code, works, of_other_block);
}

// In managed memory it is the same variable on both sides. What the engine itself copies or fills is told afterwards.
inline void tell_of_hosts_variable(const volatile void* address) {
    const void* const variable = const_cast<const void*>(address);
    bool whole = true;
    if (observer != nullptr && is_variable(variable) && space_of(variable, 1, &whole) == Space::device)
        tell_observer([&](Observer& told) { told.host_writes_variable(variable); });
}

// Memory that the host shares with kernels which it may not have waited for.
inline void check_awaited(std::uintptr_t address, std::size_t bytes, bool write, AccessKind kind, std::uintptr_t code) {
    if (!UnorderedWork::instance().any_unawaited()) return;
    const auto* pointer = reinterpret_cast<const void*>(address);
    if (address - region::begin >= region::bytes && !is_variable(pointer) && !may_be_registered(pointer)) return;
    bool whole = true;
    const Space space = space_of(pointer, 1, &whole);
    if (space == Space::managed || space == Space::pinned)
        UnorderedWork::instance().host_touches(address, bytes, write, kind, code);
}

template <bool write>
[[gnu::noinline]] void on_host_access(const volatile void* address, std::size_t bytes, AccessKind kind,
                                      std::uintptr_t from) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    check_awaited(at, bytes, write, kind, from);
    if (at - region::begin < region::bytes) {
        last_host_touch = {at, bytes, from};
        if (!write) note_from_device(at, bytes);
        tell_observer([&](Observer& told) { told.host_accesses(const_cast<const void*>(address), bytes, write); });
    }
    if (at - unwritten_begin < unwritten_bytes) write ? host_writes(at, bytes) : host_reads(at, bytes, from);
    if (write) tell_of_hosts_variable(address);
}

// `known_bytes`: the same as `bytes` if the compiler knows them, or 0. `piece`: the bytes that an instruction of a GPU
// moves; 0: all.
template <bool write, std::size_t known_bytes>
[[gnu::noinline]] void on_any_access(const volatile void* address, std::size_t bytes, void* code, AccessKind kind,
                                     bool at_once, std::size_t piece) {
    Checker* checker = active_checker;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto from = reinterpret_cast<std::uintptr_t>(code);
    if (checker == nullptr) return on_host_access<write>(address, bytes, kind, from);
    // The engine's own templates of the C++ library may be the program's, which the linker takes for the same.
    if (uninterruptible) return;
    if (is_local(at)) {
        if (write) checker->takes_constant();
        const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        const bool of_ended_function = at < frame && is_local(frame);
        if ((!counting || watching) && (of_ended_function || !is_fine(at, bytes)))
            checker->local_access<write>(at, bytes, from, of_ended_function);
        return;
    }
    if (is_built_in(at)) return;
    const Uninterrupted here;
    if (watching && (write || !Counters::instance().continues_copy(bytes, from)))
        others_go_on(code, kind == AccessKind::plain);
    if (counting)
        Counters::instance().access(at, bytes, piece == 0 ? bytes : piece, write ? Operation::store : Operation::load,
                                    from);
    if (counting && !watching) return;
    if constexpr (known_bytes != 0)
        if (checker == usual_checker && kind == AccessKind::plain && at_once &&
            checker->usual_shared_access<write, known_bytes>(at, from))
            return;
    checker->access<write>(at, bytes, kind, from, at_once);
}

template <bool write, std::size_t known_bytes>
[[gnu::always_inline]] inline void on_access(const volatile void* address, std::size_t bytes, void* code,
                                             AccessKind kind = AccessKind::plain, bool at_once = true,
                                             std::size_t piece = 0) {
    if constexpr (known_bytes != 0) {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        Checker* const usual = usual_checker;
        const std::uintptr_t offset = at - region::begin;
        if (usual != nullptr && !uninterruptible && kind == AccessKind::plain && at_once && offset < region::bytes) {
            const CalledByKernel here;
            if (usual->usual_access<write, known_bytes>(at, offset, reinterpret_cast<std::uintptr_t>(code))) return;
        }
    }
    on_any_access<write, known_bytes>(address, bytes, code, kind, at_once, piece);
}

std::size_t largest_power_in(std::size_t n) {
    return n & (~n + 1);
}

// Of a structure that is less aligned than a scalar of its size would be, or that has a size that no scalar has: the
// largest that its members may be, as far as the size tells.
std::size_t member_bytes(std::size_t bytes) {
    const std::size_t power = largest_power_in(bytes);
    return bytes == power && bytes <= 16 ? std::clamp<std::size_t>(bytes / 2, 1, 4) : std::min<std::size_t>(power, 16);
}

// Before every second atomic operation and access through volatile or so others have their turn, and now and then
// another block. What a thread has read is then out of date when it comes to its atomicCAS(), as on a GPU. The order
// looks random; EMULATOR_INTERLEAVE is the seed, and if it is empty they never have. Without the variable: from a
// launch's first atomicCAS(), atomicExch(), or load, store or acquiring update of a cuda::atomic on, and not for ever:
// it takes time.
void let_others_come_first(const void* code) {
    if (!active_checker->interleaves()) return;
    static thread_local const auto random =
        std::make_unique<std::mt19937_64>(value_of<settings::interleave>().number.value_or(8));
    const std::uint64_t choice = (*random)() % 8;
    if (choice >= 4) return;
    active_checker->note_interleaved();
    others_go_on(code, false, choice == 0);
}

inline void let_others_come_before_volatile(const volatile void* address, const void* code) {
    if (active_checker == nullptr || uninterruptible || watching || is_own(reinterpret_cast<std::uintptr_t>(address)))
        return;
    const Uninterrupted here;
    let_others_come_first(code);
}

// A store through volatile. What its thread has read before may be out of date by now.
template <std::size_t bytes>
inline void on_volatile_store(const volatile void* address, void* code) {
    let_others_come_before_volatile(address, code);
    on_access<true, bytes>(address, bytes, code, AccessKind::through_volatile);
}

// A load through volatile. A thread that finds the same as the last time waits for others: they get their turn.
template <class T>
inline void on_volatile_load(const volatile void* address, void* code) {
    let_others_come_before_volatile(address, code);
    on_access<false, sizeof(T)>(address, sizeof(T), code, AccessKind::through_volatile);
    Checker* checker = active_checker;
    if (checker == nullptr) return;
    if (is_own(reinterpret_cast<std::uintptr_t>(address))) return;
    bool waits = false;
    {
        const Uninterrupted here;
        waits = checker->loads_again(address, sizeof(T), code);
    }
    if (waits) relax();
}

void on_host_atomic(const volatile void* address, std::size_t bytes, bool write, void* code) {
    if (active_checker == nullptr)
        check_awaited(reinterpret_cast<std::uintptr_t>(address), bytes, write, AccessKind::atomic,
                      reinterpret_cast<std::uintptr_t>(code));
}

template <std::size_t n>
struct Bytes {
    unsigned char bytes[n];
};

// Bytes of whatever type, by a function of the C library.
template <bool write>
inline void on_range(const volatile void* address, std::size_t bytes, void* code) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (active_checker == nullptr && bytes > 0) {
        check_awaited(at, bytes, write, AccessKind::plain, reinterpret_cast<std::uintptr_t>(code));
        if (at - region::begin < region::bytes) {
            tell_observer([&](Observer& told) { told.host_accesses(const_cast<const void*>(address), bytes, write); });
            if (!write) note_from_device(at, bytes);
        }
        if (write && at < unwritten_begin + unwritten_bytes && unwritten_begin < at + bytes) host_writes(at, bytes);
        if (write) tell_of_hosts_variable(address);
    }
    if (active_checker == nullptr || uninterruptible || bytes == 0) return;
    if (threadIdx.x == no_thread) return;  // run_threads() copies the kernel's parameters, with clang++ by memcpy()
    on_access<write, 0>(address, bytes, code, AccessKind::plain, false,
                        std::min<std::size_t>(largest_power_in(bytes), 16));
}

// The table of virtual functions is about to be looked into, right after the pointer to it was read.
inline void on_virtual_call(const void* table, void* code) {
    if (active_checker == nullptr || uninterruptible || (counting && !watching)) return;
    const Uninterrupted here;
    active_checker->virtual_call(reinterpret_cast<std::uintptr_t>(table), reinterpret_cast<std::uintptr_t>(code));
}

// While host code is in the C library's memcpy() or one like it: where that was called.
class LibraryCall {
  public:
    explicit LibraryCall(void* code) {
        if (active_checker == nullptr) library_called_at = reinterpret_cast<std::uintptr_t>(code);
    }
    ~LibraryCall() { library_called_at = 0; }
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;
};

// What the checker and its reports need. A stack that ended while they are in malloc() would leave its lock held.
constexpr std::uintptr_t own_room = 64u << 10;

// Touches the guard page, as the thread would have before long.
inline void fail_if_stack_is_full() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (here < own_stack.begin + own_room) *reinterpret_cast<volatile char*>(own_stack.begin - 1) = 0;
}

inline void function_begins(void* caller) {
    if (active_checker == nullptr || uninterruptible) return;
    fail_if_stack_is_full();
    if (!counting) return;
    const Uninterrupted here;
    Counters::instance().enter(reinterpret_cast<std::uintptr_t>(caller));
}

inline void step_begins() {
    if (!counting || active_checker == nullptr || uninterruptible || threadIdx.x == no_thread) return;
    Counters::instance().step();
}

inline void function_ends() {
    if (!counting || active_checker == nullptr || uninterruptible) return;
    const Uninterrupted here;
    Counters::instance().leave();
}

}  // namespace

void check_atomic(const volatile void* address, std::size_t bytes, bool for_all_blocks, AtomicChange change) {
    if (active_checker == nullptr) return;
    const Uninterrupted here;
    if (active_checker->takes_own_operand(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))))
        change = AtomicChange::of_own_word;
    if (change >= AtomicChange::exchanges) active_checker->interleaving_matters();
    if (watching)
        others_go_on(__builtin_return_address(0), false);
    else
        let_others_come_first(__builtin_return_address(0));
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    if (counting) Counters::instance().access(at, bytes, bytes, Operation::atomic, code);
    if (!counting || watching)
        active_checker->atomic(at, bytes, for_all_blocks ? AccessKind::atomic : AccessKind::atomic_in_block, change,
                               code);
}

void check_ordered_atomic(const volatile void* address, std::size_t bytes, OrderedAtomic how) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (active_checker == nullptr || is_own(at)) return;
    const Uninterrupted here;
    if (how.change >= AtomicChange::exchanges || how.use != AtomicUse::update || how.acquires)
        active_checker->interleaving_matters();
    if (watching)
        others_go_on(__builtin_return_address(0), false);
    else
        let_others_come_first(__builtin_return_address(0));
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    constexpr Operation operations[] = {Operation::load, Operation::store, Operation::atomic};
    if (counting) Counters::instance().access(at, bytes, bytes, operations[static_cast<unsigned>(how.use)], code);
    if (!counting || watching) active_checker->ordered_atomic(at, bytes, how, code);
}

std::uint64_t check_update_begins(const volatile void* address, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (active_checker == nullptr || uninterruptible || counting || is_own(at)) return 0;
    const Uninterrupted here;
    return active_checker->stored_last(at, bytes);
}

void check_update_ends(const volatile void* address, std::size_t bytes, std::uint64_t stored_last) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (active_checker == nullptr || uninterruptible || counting || is_own(at)) return;
    const Uninterrupted here;
    if (active_checker->lets_others_update()) others_go_on(__builtin_return_address(0), false, true);
    if (active_checker->stored_last(at, bytes) != stored_last)
        active_checker->update_is_late(at, bytes, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void check_read_only(const void* address, std::size_t bytes) {
    if (active_checker == nullptr || uninterruptible || counting) return;
    const Uninterrupted here;
    active_checker->reads_only(reinterpret_cast<std::uintptr_t>(address), bytes,
                               reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void check_text(const char* text, const void* code) {
    if (!counting) on_access<false, 1>(text, 1, const_cast<void*>(code));
}

void check_constant_store() {
    if (active_checker != nullptr && !uninterruptible) active_checker->constant_follows();
}

void check_own_operand(const void* operand, std::size_t bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, operand, std::min(bytes, sizeof bits));
    if (active_checker != nullptr && !uninterruptible) active_checker->own_operand_follows(bits);
}

void check_atomic_result(const void* before, std::size_t bytes) {
    if (active_checker == nullptr) return;
    const Uninterrupted here;
    if (watching) Counters::instance().atomic_is_done(before, bytes);
    active_checker->atomic_is_done();
}

void check_pointer(const char* name, const volatile void* pointer, const DescribedVariable& pointee) {
    Trace::instance().pointer(name, const_cast<const void*>(pointer), pointee);
}

void check_pointers_in(const char* name, const void* object, std::size_t bytes) {
    unsigned found = 0;
    for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
        const void* pointer = nullptr;
        std::memcpy(&pointer, static_cast<const char*>(object) + at, sizeof pointer);
        const ShadowMemory* const shadow = shadow_of(pointer);
        if (shadow == nullptr || shadow->freed || !shadow->contains(reinterpret_cast<std::uintptr_t>(pointer), 1))
            continue;
        const std::string numbered = ++found == 1 ? name : name + (" (" + std::to_string(found)) + ")";
        Trace::instance().pointer(numbered.c_str(), pointer, {});
    }
}

void check_launch_begins(const char* kernel) {
    next_null_parameters.kernel = kernel;
    next_null_parameters.names.clear();
    if (watching) Trace::instance().launch_follows();
}

void check_null_parameter(const char* name) {
    next_null_parameters.names.push_back(name);
}

void check_function_parameter(const char* name, std::uintptr_t function) {
    if (may_be_from_device(function)) return;
    const std::uintptr_t here = asked_at(callers());
    if (!is_new(Kind::device_touches_host, here)) return;
    report(
        {Kind::device_touches_host,
         next_null_parameters.kernel,
         {{"the host", "gives it, as " + std::string(name) + ", the address that a function has in host code", here}},
         "On a GPU the function lies elsewhere, and the kernel's call fails.",
         "Let device code take the address, __device__ auto in_kernels = function;, and fetch it by "
         "cudaMemcpyFromSymbol(). Or make the function a template argument of the kernel, or an object with an "
         "operator()."});
}

void check_barrier(const void* barrier, std::size_t bytes, BarrierUse use) {
    if (active_checker == nullptr) return;
    const auto at = reinterpret_cast<std::uintptr_t>(barrier);
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const Uninterrupted here;
    if (use == BarrierUse::arrive && watching) others_go_on(__builtin_return_address(0), true);
    if ((use == BarrierUse::arrive || use == BarrierUse::adjust) && counting)
        Counters::instance().access(at, bytes, bytes, Operation::atomic, code);
    if (!counting || watching) active_checker->barrier(at, bytes, use, code);
}

void check_grid_dependency() {
    if (active_checker == nullptr || (counting && !watching)) return;
    const Uninterrupted here;
    active_checker->primary_is_awaited();
}

void check_grid_trigger() {
    if (active_checker != nullptr) active_checker->lets_next_begin();
}

void check_copy_begins(void* to, const void* from, std::size_t bytes, std::size_t zeros, const void* barrier) {
    if (active_checker == nullptr) return;
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const auto at = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
    const Uninterrupted here;
    if (watching) others_go_on(__builtin_return_address(0), true);
    if (counting) {
        if (bytes > zeros) Counters::instance().access(source, bytes - zeros, bytes - zeros, Operation::load, code);
        Counters::instance().access(at, bytes, bytes, Operation::store, code);
        std::array<char, Moved::most> copied{};
        std::memcpy(copied.data(), from, std::min(bytes - zeros, copied.size()));
        Counters::instance().stored(copied.data());
    }
    if ((!counting || watching) && !is_local(source))
        return active_checker->copy_begins({.to = at,
                                            .from = source,
                                            .bytes = bytes,
                                            .given = bytes - zeros,
                                            .code = code,
                                            .barrier = reinterpret_cast<std::uintptr_t>(barrier)});
    std::memcpy(to, from, bytes - zeros);
    std::memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
}

namespace {

// A request of one thread for as much as a cache line.
constexpr std::size_t bulk_piece = 128;

bool checks_accesses() {
    return active_checker != nullptr && (!counting || watching);
}

template <class Tell>
void tell_checker(Tell&& tell) {
    if (!checks_accesses()) return;
    const Uninterrupted here;
    tell(*active_checker);
}

void count_bulk_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::uintptr_t code) {
    if (!counting) return;
    if (from != 0) Counters::instance().access(from, bytes, std::min(bytes, bulk_piece), Operation::load, code);
    if (to != 0) Counters::instance().access(to, bytes, std::min(bytes, bulk_piece), Operation::store, code);
}

}  // namespace

void check_bulk_copy(void* to, const void* from, std::size_t bytes, const void* barrier) {
    if (active_checker == nullptr || bytes == 0) return;
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const auto at = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
    const Uninterrupted here;
    if (watching) others_go_on(__builtin_return_address(0), true);
    count_bulk_copy(at, source, bytes, code);
    if (checks_accesses() && !is_local(source))
        return active_checker->bulk_copy_begins({.to = at,
                                                 .from = source,
                                                 .bytes = bytes,
                                                 .given = from == nullptr ? 0 : bytes,
                                                 .code = code,
                                                 .barrier = reinterpret_cast<std::uintptr_t>(barrier),
                                                 .bulk = true});
    if (from != nullptr)
        std::memcpy(to, from, bytes);
    else
        std::memset(to, 0, bytes);
}

void check_async_store(void* to, const void* value, std::size_t bytes, const void* barrier) {
    if (active_checker == nullptr) return;
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const auto at = reinterpret_cast<std::uintptr_t>(to);
    const Uninterrupted here;
    if (watching) others_go_on(__builtin_return_address(0), true);
    if (counting) {
        Counters::instance().access(at, bytes, bytes, Operation::store, code);
        Counters::instance().stored(value);
    }
    if (!checks_accesses()) {
        std::memcpy(to, value, bytes);
        return;
    }
    AsyncCopy store{.to = at,
                    .from = 0,
                    .bytes = bytes,
                    .given = 0,
                    .code = code,
                    .barrier = reinterpret_cast<std::uintptr_t>(barrier),
                    .is_store = true};
    std::memcpy(store.value.data(), value, bytes);
    active_checker->bulk_copy_begins(store);
}

void check_async_reduction(const void* to, std::size_t bytes, const void* barrier) {
    if (!checks_accesses() || bytes == 0) return;
    const Uninterrupted here;
    active_checker->reduction_begins({.to = reinterpret_cast<std::uintptr_t>(to),
                                      .from = 0,
                                      .bytes = bytes,
                                      .given = 0,
                                      .code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                                      .barrier = reinterpret_cast<std::uintptr_t>(barrier),
                                      .is_reduction = true});
}

void check_bulk_source(const void* from, std::size_t bytes, const void* barrier) {
    if (active_checker == nullptr || bytes == 0) return;
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const auto source = reinterpret_cast<std::uintptr_t>(from);
    const Uninterrupted here;
    count_bulk_copy(0, source, bytes, code);
    if (checks_accesses())
        active_checker->bulk_copy_begins({.to = 0,
                                          .from = source,
                                          .bytes = 0,
                                          .given = bytes,
                                          .code = code,
                                          .barrier = reinterpret_cast<std::uintptr_t>(barrier),
                                          .bulk = true});
}

void check_bulk_copies_are_group() {
    tell_checker([](Checker& checker) { checker.bulk_copies_are_group(); });
}
void check_bulk_copies_are_awaited(std::size_t all_but, bool only_read) {
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    tell_checker([=](Checker& checker) { checker.bulk_copies_are_awaited(all_but, only_read, code); });
}
void check_proxy_fence() {
    tell_checker([](Checker& checker) { checker.proxy_fence(); });
}
void check_matrix_read(const void* from, std::size_t bytes) {
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    tell_checker([=](Checker& checker) { checker.matrix_read(reinterpret_cast<std::uintptr_t>(from), bytes, code); });
}
void check_matrices_are_group() {
    tell_checker([](Checker& checker) { checker.matrices_are_group(); });
}
void check_matrices_are_awaited(std::size_t all_but) {
    tell_checker([=](Checker& checker) { checker.matrices_are_awaited(all_but); });
}
void check_copies_are_group() {
    tell_checker([](Checker& checker) { checker.copies_are_group(); });
}
void check_copies_are_awaited(std::size_t all_but) {
    const auto code = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    tell_checker([=](Checker& checker) { checker.copies_are_awaited(all_but, code); });
}

void check_fence(bool for_all_blocks) {
    if (active_checker == nullptr) return;
    const Uninterrupted here;
    if (counting) Counters::instance().fence(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    if (!counting || watching) active_checker->fence(for_all_blocks);
}

void check_begin_of_kernel() {
    if (!counting || active_checker == nullptr) return;
    Counters::instance().kernel_is_at(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void check_end_of_kernel() {
    if (active_checker == nullptr) return;
    const Uninterrupted here;
    active_checker->end_of_kernel();
}

}  // namespace emulator

using emulator::AccessKind;
using emulator::Bytes;
using emulator::LibraryCall;
using emulator::on_access;
using emulator::on_range;
using emulator::on_volatile_load;
using emulator::on_volatile_store;

// Another name for the same function.
#define SAME(result, name, parameters, function) result name parameters __attribute__((alias(function)))
#define UNALIGNED(name) SAME(void, __tsan_unaligned_##name, (void*), "__tsan_" #name);

extern "C" {

// The linker's --wrap makes these of the program's calls of the C library's.
void* __real_memcpy(void* to, const void* from, std::size_t n);
void* __real_memmove(void* to, const void* from, std::size_t n);
void* __real_memset(void* to, int value, std::size_t n);

void* __wrap_memcpy(void* to, const void* from, std::size_t n) {
    on_range<false>(from, n, __builtin_return_address(0));
    on_range<true>(to, n, __builtin_return_address(0));
    const LibraryCall here(__builtin_return_address(0));
    return __real_memcpy(to, from, n);
}
void* __wrap_memmove(void* to, const void* from, std::size_t n) {
    on_range<false>(from, n, __builtin_return_address(0));
    on_range<true>(to, n, __builtin_return_address(0));
    const LibraryCall here(__builtin_return_address(0));
    return __real_memmove(to, from, n);
}
void* __wrap_memset(void* to, int value, std::size_t n) {
    on_range<true>(to, n, __builtin_return_address(0));
    const LibraryCall here(__builtin_return_address(0));
    return __real_memset(to, value, n);
}

void __tsan_init() {
    emulator::find_thread_locals();
    emulator::tell_summary_at_exit();
    emulator::count_if_asked();
}
void __tsan_func_entry(void* caller) {
    emulator::function_begins(caller);
}
// Only of programs that are compiled with -fsanitize-coverage=trace-pc.
void __sanitizer_cov_trace_pc() {
    emulator::step_begins();
}
void __tsan_func_exit() {
    emulator::function_ends();
}
void __tsan_vptr_update(void** pointer, void*) {
    emulator::note_constructed(reinterpret_cast<std::uintptr_t>(pointer), emulator::active_checker == nullptr);
}
// By clang, for a virtual call.
void __tsan_vptr_read(void** pointer) {
    on_access<false, 8>(pointer, sizeof *pointer, __builtin_return_address(0));
    emulator::on_virtual_call(*pointer, __builtin_return_address(0));
}

#define HOOKS(n)                                                    \
    void __tsan_read##n(void* p) {                                  \
        on_access<false, n>(p, n, __builtin_return_address(0));     \
    }                                                               \
    void __tsan_write##n(void* p) {                                 \
        on_access<true, n>(p, n, __builtin_return_address(0));      \
    }                                                               \
    void __tsan_read##n##_pc(void* p, void* pc) {                   \
        on_access<false, n>(p, n, pc);                              \
    }                                                               \
    void __tsan_write##n##_pc(void* p, void* pc) {                  \
        on_access<true, n>(p, n, pc);                               \
    }                                                               \
    void __tsan_read_write##n(void* p) {                            \
        on_access<false, n>(p, n, __builtin_return_address(0));     \
        on_access<true, n>(p, n, __builtin_return_address(0));      \
    }                                                               \
    void __tsan_volatile_read##n(void* p) {                         \
        on_volatile_load<Bytes<n>>(p, __builtin_return_address(0)); \
    }                                                               \
    void __tsan_volatile_write##n(void* p) {                        \
        on_volatile_store<n>(p, __builtin_return_address(0));       \
    }                                                               \
    UNALIGNED(read##n)                                              \
    UNALIGNED(write##n)                                             \
    UNALIGNED(read_write##n)                                        \
    UNALIGNED(volatile_read##n)                                     \
    UNALIGNED(volatile_write##n)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS

void __tsan_read_range(void* p, unsigned long n) {
    on_access<false, 0>(p, n, __builtin_return_address(0), AccessKind::plain, false, emulator::member_bytes(n));
}
void __tsan_write_range(void* p, unsigned long n) {
    on_access<true, 0>(p, n, __builtin_return_address(0), AccessKind::plain, false, emulator::member_bytes(n));
}

// clang calls these in place of the library's.
SAME(void*, __tsan_memcpy, (void*, const void*, std::size_t), "__wrap_memcpy");
SAME(void*, __tsan_memmove, (void*, const void*, std::size_t), "__wrap_memmove");
SAME(void*, __tsan_memset, (void*, int, std::size_t), "__wrap_memset");

// Of C++'s std::atomic, which host code uses and kernels do not.
#define ATOMIC_CHANGE(bits, T, name, function)                                     \
    T __tsan_atomic##bits##_##name(volatile T* p, T value, int) {                  \
        emulator::on_host_atomic(p, sizeof(T), true, __builtin_return_address(0)); \
        return function(p, value, __ATOMIC_SEQ_CST);                               \
    }
#define ATOMICS(bits, T)                                                                                   \
    T __tsan_atomic##bits##_load(const volatile T* p, int) {                                               \
        emulator::on_host_atomic(p, sizeof(T), false, __builtin_return_address(0));                        \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                      \
    void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                        \
        emulator::on_host_atomic(p, sizeof(T), true, __builtin_return_address(0));                         \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                      \
    }                                                                                                      \
    ATOMIC_CHANGE(bits, T, exchange, __atomic_exchange_n)                                                  \
    ATOMIC_CHANGE(bits, T, fetch_add, __atomic_fetch_add)                                                  \
    ATOMIC_CHANGE(bits, T, fetch_sub, __atomic_fetch_sub)                                                  \
    ATOMIC_CHANGE(bits, T, fetch_and, __atomic_fetch_and)                                                  \
    ATOMIC_CHANGE(bits, T, fetch_or, __atomic_fetch_or)                                                    \
    ATOMIC_CHANGE(bits, T, fetch_xor, __atomic_fetch_xor)                                                  \
    ATOMIC_CHANGE(bits, T, fetch_nand, __atomic_fetch_nand)                                                \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T value, int, int) {     \
        emulator::on_host_atomic(p, sizeof(T), true, __builtin_return_address(0));                         \
        return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                      \
    SAME(int, __tsan_atomic##bits##_compare_exchange_weak, (volatile T*, T*, T, int, int),                 \
         "__tsan_atomic" #bits "_compare_exchange_strong");                                                \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int, int) {           \
        emulator::on_host_atomic(p, sizeof(T), true, __builtin_return_address(0));                         \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
        return expected;                                                                                   \
    }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long)
#undef ATOMICS

void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// ----------------------------------------------------------------------------------------------- bounds and arithmetic

// As the compiler lays them out.
struct PlaceInSource {
    const char* file;
    std::uint32_t line, column;
};
struct TypeInSource {
    std::uint16_t kind, info;  // of an integer: 2 * log2(bits) + signed
    char name[1];
};
struct BoundsData {
    PlaceInSource place;
    const TypeInSource *array, *index;
};
struct DivisionData {
    PlaceInSource place;
    const TypeInSource* type;
};
struct ShiftData {
    PlaceInSource place;
    const TypeInSource *shifted, *distance;
};

// A value of an integer type, of 64 bits at most, as the compiler hands it over.
static std::string decimal(const TypeInSource& type, unsigned long value) {
    const bool is_signed = (type.info & 1) != 0;
    const unsigned bits = 1u << (type.info >> 1);
    if (!is_signed) return std::to_string(value);
    const auto wide = static_cast<long long>(value);
    return std::to_string(bits < 64 ? static_cast<long long>(value << (64 - bits)) >> (64 - bits) : wide);
}

void __ubsan_handle_out_of_bounds(BoundsData* data, unsigned long index) {
    // As the last member of a structure it is the old way to write that there are more.
    const std::string_view array = data->array->name;
    if (array.ends_with("[1]'") || array.ends_with("[0]'")) return;
    emulator::report_index(data->place.file, data->place.line, data->array->name, decimal(*data->index, index));
}
SAME(void, __ubsan_handle_out_of_bounds_abort, (BoundsData*, unsigned long), "__ubsan_handle_out_of_bounds");

// The compiler tells of the lowest number divided by -1 in the same way, if it is asked for overflows.
void __ubsan_handle_divrem_overflow(DivisionData* data, unsigned long dividend, unsigned long divisor) {
    const bool has_values = 1u << (data->type->info >> 1) <= 64;  // else their addresses
    if (has_values && divisor != 0) return;
    emulator::report_division(has_values ? decimal(*data->type, dividend) : "a whole number",
                              reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
SAME(void, __ubsan_handle_divrem_overflow_abort, (DivisionData*, unsigned long, unsigned long),
     "__ubsan_handle_divrem_overflow");

void __ubsan_handle_shift_out_of_bounds(ShiftData* data, unsigned long shifted, unsigned long distance) {
    const unsigned bits = 1u << (data->shifted->info >> 1);
    const bool has_values = bits <= 64 && 1u << (data->distance->info >> 1) <= 64;  // else their addresses
    emulator::report_shift(has_values ? decimal(*data->shifted, shifted) : "a whole number", bits,
                           has_values ? decimal(*data->distance, distance) : "more than it has",
                           reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
SAME(void, __ubsan_handle_shift_out_of_bounds_abort, (ShiftData*, unsigned long, unsigned long),
     "__ubsan_handle_shift_out_of_bounds");

}  // extern "C"
