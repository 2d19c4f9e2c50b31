#include "memory.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../checked/host/api_calls.h"
#include "../checked/memory.h"
#include "../reports/error_state.h"
#include "../rounding.h"
#include "../settings.h"
#include "devices.h"
#include "emulator/check.h"
#include "emulator/device.h"

namespace emulator {

/// One that allocate() made.
struct Allocation {
    std::size_t bytes = 0;
    Space space = Space::device;
    int device = 0;
    unsigned flags = 0;
    std::uintptr_t mapping = 0;  // the pages around it, with a margin before and behind them
    std::size_t mapping_bytes = 0;
    int openers = 0;  // who needs it open to the process: host accesses, and the running kernels together
    bool opened_by_kernel = false;
    int host_accesses = 0;                      // among the openers
    bool keeps_address = false;                 // when it is freed: see ReservedAddress
    bool is_released = false;                   // and no longer among the live ones, but a host access is not done yet
    std::set<std::uintptr_t> opened_margins{};  // pages of the margins that kernels strayed into
};

namespace {

constexpr std::size_t alignment = 256;          // what cudaMalloc promises
constexpr std::size_t huge_page = 2u << 20;     // from this size on, fewer and larger pages pay
constexpr std::size_t large = 256u << 10;       // from this size on, caches do not hold it: see next_room()
constexpr std::size_t margin = 2u << 20;        // kept free on each side of an allocation: a page of a GPU
constexpr std::size_t quarantine_length = 256;  // freed ranges whose addresses are not given out again yet
constexpr int poison = 0xff;                    // a float NaN, an int -1

// Whether fresh memory shall show who reads it before it is written. Otherwise it holds zeros, as what a new process
// gets on a GPU does (seen on an H100). The checked build knows by the poison what was written where it could not see
// it.
bool poisoned() {
    return checked || value_of<settings::poison>();
}

struct Freed {
    std::uintptr_t begin;
    Allocation allocation;
    Frames freed_by;
};

struct Registered {
    std::size_t bytes;
    unsigned flags;
    int device;
};

// Made on first use and never destroyed: static objects may hold device memory before main() begins and after it.
struct Everything {
    std::mutex mutex;
    std::map<std::uintptr_t, Allocation> live;        // by first address
    std::map<std::uintptr_t, Allocation> released;    // those that a host access still touches
    std::map<std::uintptr_t, Registered> registered;  // the host's own memory, by first address
    std::deque<Freed> quarantine;
    std::array<std::size_t, most_devices> used{};  // by device
    int running_kernels = 0;
};

// Around all that was ever registered.
std::atomic<std::uintptr_t> registered_begin = ~std::uintptr_t{0}, registered_end = 0;

Everything& all() {
    static auto& everything = *new Everything;
    return everything;
}

// Linux has a limit of mappings, vm.max_map_count, and pages of another protection are a mapping of their own.
bool protect(const Allocation& a, int protection) {
    const bool done =
        mprotect(reinterpret_cast<void*>(a.mapping + margin), a.mapping_bytes - 2 * margin, protection) == 0;
    if (!done) explain("mprotect: %s (too many allocations?)", std::strerror(errno));
    return done;
}

void open(Allocation& a) {
    if (a.openers == 0 && a.space == Space::device && !protect(a, PROT_READ | PROT_WRITE)) std::abort();
    ++a.openers;
}

void close(Allocation& a) {
    if (--a.openers == 0 && a.space == Space::device) protect(a, PROT_NONE);
}

// The allocation that begins at or before the address and is the nearest; all().live.end() if there is none.
std::map<std::uintptr_t, Allocation>::iterator at_or_before(std::uintptr_t address) {
    const auto after = all().live.upper_bound(address);
    return after == all().live.begin() ? all().live.end() : std::prev(after);
}

std::map<std::uintptr_t, Allocation>::iterator containing(std::uintptr_t address) {
    const auto it = at_or_before(address);
    return it != all().live.end() && address - it->first < it->second.bytes ? it : all().live.end();
}

bool in_pages_of(const Allocation& a, std::uintptr_t address) {
    return address - a.mapping < a.mapping_bytes;
}

// The host's own memory that the address lies in, if a program registered it.
std::map<std::uintptr_t, Registered>::iterator registration(std::uintptr_t address) {
    const auto after = all().registered.upper_bound(address);
    if (after == all().registered.begin()) return all().registered.end();
    const auto it = std::prev(after);
    return address - it->first < it->second.bytes ? it : all().registered.end();
}

// What the linker put together because of the section attributes in language.h; null where a program has no such
// variables.
extern "C" {
#define EMULATOR_SECTION(name)                                                             \
    extern char __start_##name[] __attribute__((weak, visibility("hidden"))); /* NOLINT */ \
    extern char __stop_##name[] __attribute__((weak, visibility("hidden")));  /* NOLINT */
EMULATOR_SECTION(cuda_device)
EMULATOR_SECTION(cuda_constant)
EMULATOR_SECTION(cuda_const)
EMULATOR_SECTION(cuda_managed)
#undef EMULATOR_SECTION
}

struct Variables {
    const char *begin, *end;
    Space space;
};

// Those of templates, which g++ puts into no section.
class AddedVariables {
  public:
    void add(const char* begin, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        ends_[begin] = begin + bytes;
        count_ = ends_.size();
    }
    void for_each(const std::function<void(char*, std::size_t)>& call) {
        const std::lock_guard lock(mutex_);
        for (const auto& [begin, end] : ends_) call(const_cast<char*>(begin), static_cast<std::size_t>(end - begin));
    }
    std::size_t count() const { return count_; }
    Variables around(const char* pointer) {
        if (count_ == 0) return {nullptr, nullptr, Space::host};
        const std::lock_guard lock(mutex_);
        const auto after = ends_.upper_bound(pointer);
        if (after == ends_.begin()) return {nullptr, nullptr, Space::host};
        const auto [begin, end] = *std::prev(after);
        return pointer < end ? Variables{begin, end, Space::device} : Variables{nullptr, nullptr, Space::host};
    }

  private:
    std::mutex mutex_;
    std::map<const char*, const char*> ends_;
    std::atomic<std::size_t> count_ = 0;
};

AddedVariables& added_variables() {
    static auto& variables = *new AddedVariables;
    return variables;
}

// The variables among which the address lies; all null if it is no device variable's.
Variables variables_around(const void* pointer) {
    const Variables sections[] = {{__start_cuda_device, __stop_cuda_device, Space::device},
                                  {__start_cuda_constant, __stop_cuda_constant, Space::device},
                                  {__start_cuda_const, __stop_cuda_const, Space::device},
                                  {__start_cuda_managed, __stop_cuda_managed, Space::managed}};
    for (const Variables& section : sections)
        if (section.begin <= pointer && pointer < section.end) return section;
    return added_variables().around(static_cast<const char*>(pointer));
}

// What space_of() answers.
Space look(const void* pointer, std::size_t bytes, bool* whole) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const auto it = containing(address);
    *whole = true;
    if (it != all().live.end()) {
        *whole = bytes <= it->second.bytes - (address - it->first);
        return it->second.space;
    }
    if (const auto own = registration(address); own != all().registered.end()) {
        *whole = bytes <= own->second.bytes - (address - own->first);
        return Space::pinned;
    }
    const Variables variables = variables_around(pointer);
    if (variables.begin != nullptr)
        *whole = bytes <= static_cast<std::size_t>(variables.end - static_cast<const char*>(pointer));
    return variables.space;
}

// Gives the memory back, but keeps the addresses unusable for a while, so that a late use faults instead of finding
// somebody else's data.
void bury(std::uintptr_t begin, const Allocation& a) {
    const Frames freed_by = callers();
    note_freed(begin, freed_by);
    (void)mmap(reinterpret_cast<void*>(a.mapping), a.mapping_bytes, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    all().quarantine.push_back({begin, a, freed_by});
    if (all().quarantine.size() <= quarantine_length) return;
    const auto oldest =
        std::ranges::find_if(all().quarantine, [](const Freed& each) { return !each.allocation.keeps_address; });
    if (oldest == all().quarantine.end()) return;
    const Allocation& gone = oldest->allocation;
    note_forgotten(gone.mapping, gone.mapping_bytes);
    return_addresses(reinterpret_cast<void*>(gone.mapping), gone.mapping_bytes);
    all().quarantine.erase(oldest);
}

// The allocation is dead from now on. Its memory goes at once, or with the last host access.
void end_life(std::map<std::uintptr_t, Allocation>::iterator it) {
    auto node = all().live.extract(it);
    if (node.mapped().host_accesses > 0)
        node.mapped().is_released = true, all().released.insert(std::move(node));
    else
        bury(node.key(), node.mapped());
}

std::size_t& used_by(int device) {
    return all().used[static_cast<std::size_t>(device)];
}

// Takes so many of the bytes that are free; if there are not so many, none, and returns how many there are.
std::optional<std::size_t> take_bytes(std::size_t bytes, int device) {
    const std::lock_guard lock(all().mutex);
    if (const std::size_t free = total_memory() - used_by(device); bytes > free) return free;
    used_by(device) += bytes;
    return std::nullopt;
}

void give_bytes_back(std::size_t bytes, int device) {
    const std::lock_guard lock(all().mutex);
    used_by(device) -= bytes;
}

void close_opened() {
    for (auto& [begin, a] : all().live) {
        if (!a.opened_by_kernel) continue;
        a.opened_by_kernel = false;
        close(a);
    }
}

std::string describe(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes, const char* what) {
    char text[160];
    if (address < begin)
        std::snprintf(text, sizeof text, "%zu bytes before %s of %zu bytes", std::size_t{begin - address}, what, bytes);
    else if (address - begin < bytes)
        std::snprintf(text, sizeof text, "%zu bytes into %s of %zu bytes", std::size_t{address - begin}, what, bytes);
    else
        std::snprintf(text, sizeof text, "%zu bytes past the end of %s of %zu bytes",
                      std::size_t{address - begin - bytes}, what, bytes);
    return text;
}

// Opens its pages, fills it and makes it known. False: there is no room for what is known of it.
bool begin_life(std::uintptr_t begin, const Allocation& a) {
    if (!protect(a, PROT_READ | PROT_WRITE)) return false;
    if (poisoned()) std::memset(reinterpret_cast<void*>(begin), poison, a.bytes);
    if (a.space == Space::device) protect(a, PROT_NONE);
    if (!note_allocated(begin, a.bytes, a.space != Space::device, a.device)) return false;
    const std::lock_guard lock(all().mutex);
    all().live.emplace(begin, a);
    return true;
}

// Arrays of one size would all begin at the same place of a page. The caches keep only some eight lines with the same
// place: a thread that walks through three arrays in strides of whole pages pushes out what the next thread needs of
// each line. So they begin in eight places by turns: a vector addition in strides of 1 MiB is then two to three times
// as fast.
std::size_t next_room() {
    constexpr std::size_t step = 512, places = 8;
    static std::atomic<std::size_t> made{0};
    return made++ * 3 % places * step;
}

// Makes one of the size, the kind, the device and the flags that `a` has. False: there is no room for it.
bool make(void** pointer, Allocation a) {
    const std::size_t bytes = a.bytes, room = a.bytes >= large ? next_room() : 0;
    const std::size_t body = round_up(round_up(bytes, alignment) + room, page());
    a.mapping_bytes = margin + body + margin;
    void* mapping = reserve_addresses(a.mapping_bytes);
    if (mapping == MAP_FAILED) return false;
    a.mapping = reinterpret_cast<std::uintptr_t>(mapping);
    if (bytes >= huge_page) madvise(reinterpret_cast<void*>(a.mapping + margin), body, MADV_HUGEPAGE);

    // The allocation ends where the margin begins, as near as the alignment allows, and a large one a part of a page
    // before.
    const std::uintptr_t begin = a.mapping + margin + body - round_up(bytes, alignment) - room;
    if (!begin_life(begin, a)) {
        return_addresses(mapping, a.mapping_bytes);
        return false;
    }
    *pointer = reinterpret_cast<void*>(begin);
    return true;
}

}  // namespace

std::size_t total_memory() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page() / 2 /
                              static_cast<std::size_t>(std::max(1, device_count()));
    return bytes;
}

std::size_t free_memory(int device) {
    const std::lock_guard lock(all().mutex);
    return total_memory() - used_by(device);
}

cudaError_t allocate(void** pointer, std::size_t bytes, Space space, int device, unsigned flags) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) {
        note_allocated_nothing();
        return cudaSuccess;
    }
    if (const std::optional<std::size_t> free = take_bytes(bytes, device)) {
        const auto as_signed = static_cast<std::ptrdiff_t>(bytes);
        note_reason(std::to_string(bytes) + " bytes are asked for, and " + std::to_string(*free) + " are free." +
                    (as_signed >= 0 ? ""
                                    : " As a number with a sign that is " + std::to_string(as_signed) +
                                          ": an int has probably overflowed, as i * n does beyond 2147483647. Compute "
                                          "it in std::size_t."));
        return cudaErrorMemoryAllocation;
    }
    if (make(pointer, Allocation{.bytes = bytes, .space = space, .device = device, .flags = flags})) return cudaSuccess;
    give_bytes_back(bytes, device);
    return cudaErrorMemoryAllocation;
}

cudaError_t release(void* pointer, Space space) {
    if (pointer == nullptr) return cudaSuccess;
    std::unique_lock lock(all().mutex);
    const auto it = all().live.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (it == all().live.end() || (it->second.space == Space::pinned) != (space == Space::pinned)) {
        lock.unlock();
        note_bad_free(pointer);
        return cudaErrorInvalidValue;
    }
    used_by(it->second.device) -= it->second.bytes;
    end_life(it);
    return cudaSuccess;
}

ReservedAddress::ReservedAddress(std::size_t bytes, int device) {
    if (allocate(&pointer_, bytes, Space::device, device) != cudaSuccess || pointer_ == nullptr) return;
    {
        const std::lock_guard lock(all().mutex);
        all().live.at(reinterpret_cast<std::uintptr_t>(pointer_)).keeps_address = true;
    }
    release(pointer_, Space::device);
}

ReservedAddress::~ReservedAddress() {
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer_);
    const std::lock_guard lock(all().mutex);
    if (const auto it = all().live.find(begin); it != all().live.end()) it->second.keeps_address = false;
    for (Freed& each : all().quarantine)
        if (each.begin == begin) each.allocation.keeps_address = false;
}

cudaError_t ReservedAddress::allocate_there() const {
    std::unique_lock lock(all().mutex);
    const auto freed = std::ranges::find_if(all().quarantine, [&](const Freed& each) {
        return each.begin == reinterpret_cast<std::uintptr_t>(pointer_) && each.allocation.keeps_address;
    });
    if (freed == all().quarantine.end()) return cudaErrorInvalidValue;
    const Freed gone = *freed;
    const int device = gone.allocation.device;
    if (gone.allocation.bytes > total_memory() - used_by(device)) return cudaErrorMemoryAllocation;
    used_by(device) += gone.allocation.bytes;
    all().quarantine.erase(freed);
    lock.unlock();
    return begin_life(gone.begin, gone.allocation) ? cudaSuccess : cudaErrorMemoryAllocation;
}

bool is_reserved(const void* pointer) {
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
    const std::lock_guard lock(all().mutex);
    if (const auto it = all().live.find(begin); it != all().live.end()) return it->second.keeps_address;
    return std::ranges::any_of(all().quarantine,
                               [&](const Freed& each) { return each.begin == begin && each.allocation.keeps_address; });
}

void for_each_allocation(const std::function<void(std::uintptr_t, std::size_t, Space)>& call) {
    const std::lock_guard lock(all().mutex);
    for (const auto& [begin, a] : all().live) call(begin, a.bytes, a.space);
}

void release_all(int device) {
    const std::lock_guard lock(all().mutex);
    for (auto it = all().live.begin(); it != all().live.end();) {
        const auto present = it++;
        if (present->second.device == device) end_life(present);
    }
    std::erase_if(all().registered, [&](const auto& each) { return each.second.device == device; });
    used_by(device) = 0;
}

std::optional<int> device_of_memory(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::lock_guard lock(all().mutex);
    if (const auto it = containing(address); it != all().live.end()) return it->second.device;
    if (const auto own = registration(address); own != all().registered.end()) return own->second.device;
    return std::nullopt;
}

cudaError_t register_host(const void* pointer, std::size_t bytes, unsigned flags, int device) {
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
    if (bytes == 0 || readable_bytes(pointer, bytes) < bytes) return cudaErrorInvalidValue;
    const std::lock_guard lock(all().mutex);
    if (containing(begin) != all().live.end()) return cudaErrorInvalidValue;
    const auto next = all().registered.lower_bound(begin);
    if (registration(begin) != all().registered.end() ||
        (next != all().registered.end() && next->first - begin < bytes))
        return cudaErrorHostMemoryAlreadyRegistered;
    all().registered[begin] = {bytes, flags, device};
    registered_begin = std::min(registered_begin.load(), begin);
    registered_end = std::max(registered_end.load(), begin + bytes);
    return cudaSuccess;
}

cudaError_t unregister_host(const void* pointer) {
    const std::lock_guard lock(all().mutex);
    const bool was = all().registered.erase(reinterpret_cast<std::uintptr_t>(pointer)) > 0;
    return was ? cudaSuccess : pointer == nullptr ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
}

bool may_be_registered(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return registered_begin <= address && address < registered_end;
}

std::optional<unsigned> pinned_flags(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::lock_guard lock(all().mutex);
    const auto it = containing(address);
    if (it != all().live.end() && it->second.space == Space::pinned) return it->second.flags;
    const auto own = registration(address);
    if (own != all().registered.end()) return own->second.flags;
    return std::nullopt;
}

bool is_variable(const void* pointer) {
    return variables_around(pointer).begin != nullptr;
}

void add_variable(const void* begin, std::size_t bytes) {
    added_variables().add(static_cast<const char*>(begin), bytes);
}

void for_each_device_variable(const std::function<void(char*, std::size_t)>& call) {
    call(__start_cuda_device, static_cast<std::size_t>(__stop_cuda_device - __start_cuda_device));
    call(__start_cuda_constant, static_cast<std::size_t>(__stop_cuda_constant - __start_cuda_constant));
    added_variables().for_each(call);
}

std::size_t variables_added() {
    return added_variables().count();
}

bool is_constant(const void* pointer) {
    const char* const begin = variables_around(pointer).begin;
    return begin != nullptr && (begin == __start_cuda_constant || begin == __start_cuda_const);
}

std::pair<const char*, const char*> variables_with(const void* pointer) {
    const Variables variables = variables_around(pointer);
    return {variables.begin, variables.end};
}

std::size_t allocated_at(const void* pointer) {
    const std::lock_guard lock(all().mutex);
    const auto it = all().live.find(reinterpret_cast<std::uintptr_t>(pointer));
    return it == all().live.end() ? 0 : it->second.bytes;
}

Space space_of(const void* pointer, std::size_t bytes, bool* whole) {
    const std::lock_guard lock(all().mutex);
    return look(pointer, bytes, whole);
}

// The system call looks at what it is given, unless that is null, before it finds that -1 is no way to change a mask.
std::size_t readable_bytes(const void* pointer, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
    for (std::size_t known = 0; known < bytes; known = round_up(begin + known + 1, page()) - begin)
        if (const std::uintptr_t at = std::max<std::uintptr_t>((begin + known) / 8, 1) * 8;
            syscall(SYS_rt_sigprocmask, -1, at, nullptr, 8) != 0 && errno == EFAULT)
            return known;
    return bytes;
}

HostAccess::HostAccess(const void* pointer, std::size_t bytes) {
    const std::lock_guard lock(all().mutex);
    space_ = look(pointer, bytes, &is_whole_);
    const auto it = containing(reinterpret_cast<std::uintptr_t>(pointer));
    allocation_ = it == all().live.end() ? nullptr : &it->second;
    if (allocation_ == nullptr) return;
    open(*allocation_);
    ++allocation_->host_accesses;
}

HostAccess::~HostAccess() {
    if (allocation_ == nullptr) return;
    const std::lock_guard lock(all().mutex);
    close(*allocation_);
    if (--allocation_->host_accesses > 0 || !allocation_->is_released) return;
    const auto is_ours = [this](const auto& released) { return &released.second == allocation_; };
    const auto it = std::find_if(all().released.begin(), all().released.end(), is_ours);
    bury(it->first, it->second);
    all().released.erase(it);
}

std::optional<int> HostAccess::device() const {
    if (allocation_ == nullptr || space_ != Space::device) return std::nullopt;
    return allocation_->device;
}

void kernel_begins() {
    const std::lock_guard lock(all().mutex);
    ++all().running_kernels;
}

void kernel_ends() {
    const std::lock_guard lock(all().mutex);
    if (--all().running_kernels == 0) close_opened();
}

void close_what_kernels_opened() {
    const std::lock_guard lock(all().mutex);
    close_opened();
}

bool open_for_kernel(std::uintptr_t address, int device) {
    const std::lock_guard lock(all().mutex);
    // The pages around an allocation are open as a whole, so a small overflow passes unseen, as it does on a device:
    // one that depended on who touched the allocation first would be worse.
    for (auto it : {at_or_before(address), all().live.upper_bound(address)}) {
        if (it == all().live.end() || it->second.space != Space::device) continue;
        if (address - it->second.mapping - margin >= it->second.mapping_bytes - 2 * margin) continue;
        if (!can_reach(device, it->second.device)) continue;
        // Another thread may have opened it between our fault and now: then the access only has to be tried again.
        if (!it->second.opened_by_kernel) {
            it->second.opened_by_kernel = true;
            open(it->second);
        }
        return true;
    }
    return false;
}

NearMiss open_margin(std::uintptr_t address, int device) {
    if (!value_of<settings::near_misses>()) return NearMiss::none;
    const std::lock_guard lock(all().mutex);
    for (auto it : {at_or_before(address), all().live.upper_bound(address)}) {
        if (it == all().live.end() || !in_pages_of(it->second, address)) continue;
        if (it->second.space == Space::device && !can_reach(device, it->second.device)) continue;
        // What is smaller than a page shares one with others; what is larger begins with a page of its own.
        const std::size_t bytes = it->second.bytes;
        if (address < it->first ? bytes >= margin : address - it->first >= round_up(bytes, margin)) continue;
        const std::uintptr_t around = address / page() * page();
        if (!it->second.opened_margins.insert(around).second) return NearMiss::known;
        auto* memory = reinterpret_cast<void*>(around);
        if (mprotect(memory, page(), PROT_READ | PROT_WRITE) != 0) return NearMiss::none;
        if (poisoned()) std::memset(memory, poison, page());
        return it->second.opened_margins.size() == 1 ? NearMiss::first : NearMiss::known;
    }
    return NearMiss::none;
}

std::string out_of_reach(std::uintptr_t address, int device) {
    const std::lock_guard lock(all().mutex);
    const auto it = containing(address);
    if (it == all().live.end() || it->second.space != Space::device || can_reach(device, it->second.device)) return {};
    const std::string owner = std::to_string(it->second.device), its = std::to_string(device);
    return "That is memory of device " + owner + ", to which device " + its +
           " has no access: cudaDeviceEnablePeerAccess(" + owner + ", 0) gives it, called while device " + its +
           " is the current one.";
}

std::string describe_address(std::uintptr_t address) {
    const std::lock_guard lock(all().mutex);
    for (auto it = all().quarantine.rbegin(); it != all().quarantine.rend(); ++it)
        if (in_pages_of(it->allocation, address)) {
            const std::string line = source_line(programs_call(it->freed_by));
            return describe(address, it->begin, it->allocation.bytes, "a freed allocation") +
                   (line.empty() ? "" : " (freed at " + line + ")");
        }

    // The nearest live allocation, if it is near at all.
    constexpr std::uintptr_t near = 1u << 20;
    const auto before = at_or_before(address);
    const auto after = all().live.upper_bound(address);
    const bool near_before = before != all().live.end() && address - before->first < before->second.bytes + near;
    const bool near_after = after != all().live.end() && after->first - address < near;
    if (near_before && !(near_after && after->first - address < address - before->first - before->second.bytes))
        return describe(address, before->first, before->second.bytes, "an allocation");
    if (near_after) return describe(address, after->first, after->second.bytes, "an allocation");
    return {};
}

std::optional<Neighbour> nearest_allocation(std::uintptr_t address) {
    const std::lock_guard lock(all().mutex);
    const auto before = at_or_before(address), after = all().live.upper_bound(address), none = all().live.end();
    if (before == none && after == none) return std::nullopt;
    const bool is_after =
        before == none || (after != none && after->first - address < address - before->first - before->second.bytes);
    const auto& [begin, allocation] = is_after ? *after : *before;
    return Neighbour{begin, allocation.bytes};
}

bool is_device_address(std::uintptr_t address) {
    const std::lock_guard lock(all().mutex);
    for (const Freed& freed : all().quarantine)
        if (in_pages_of(freed.allocation, address)) return true;
    for (const auto& it : {at_or_before(address), all().live.upper_bound(address)})
        if (it != all().live.end() && it->second.space == Space::device && in_pages_of(it->second, address))
            return true;
    return false;
}

}  // namespace emulator
