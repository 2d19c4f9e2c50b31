#include "emulator/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "emulator/error.h"
#include "fault.h"

namespace emulator {
namespace {

constexpr std::size_t alignment = 256;          // what cudaMalloc promises
constexpr std::size_t huge_page = 2u << 20;     // from this size on, fewer and larger pages pay
constexpr std::size_t quarantine_length = 256;  // freed ranges whose addresses are not given out again yet

struct Allocation {
    std::size_t bytes = 0;
    Space space = Space::device;
    std::uintptr_t mapping = 0;  // the pages around it, the guard page at the end included
    std::size_t mapping_bytes = 0;
    int openers = 0;  // who needs it open to the process: host accesses, and the running kernels together
    bool opened_by_kernel = false;
};

struct Freed {
    std::uintptr_t begin;
    Allocation allocation;
};

std::mutex mutex;
std::map<std::uintptr_t, Allocation> live;  // by first address
std::deque<Freed> quarantine;
std::size_t used = 0;
int running_kernels = 0;

std::size_t page() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::size_t round_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

void protect(const Allocation& a, int protection) {
    mprotect(reinterpret_cast<void*>(a.mapping), a.mapping_bytes - page(), protection);
}

void open(Allocation& a) {
    if (a.openers++ == 0 && a.space == Space::device) protect(a, PROT_READ | PROT_WRITE);
}

void close(Allocation& a) {
    if (--a.openers == 0 && a.space == Space::device) protect(a, PROT_NONE);
}

// The allocation that begins at or before the address and is the nearest; live.end() if there is none.
std::map<std::uintptr_t, Allocation>::iterator at_or_before(std::uintptr_t address) {
    const auto after = live.upper_bound(address);
    return after == live.begin() ? live.end() : std::prev(after);
}

std::map<std::uintptr_t, Allocation>::iterator containing(std::uintptr_t address) {
    const auto it = at_or_before(address);
    return it != live.end() && address - it->first < it->second.bytes ? it : live.end();
}

bool in_pages_of(const Allocation& a, std::uintptr_t address) {
    return address - a.mapping < a.mapping_bytes;
}

// Gives the memory back, but keeps the addresses unusable for a while, so that a late use faults instead of finding
// somebody else's data.
void bury(std::uintptr_t begin, const Allocation& a) {
    mmap(reinterpret_cast<void*>(a.mapping), a.mapping_bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    quarantine.push_back({begin, a});
    if (quarantine.size() > quarantine_length) {
        const Allocation& oldest = quarantine.front().allocation;
        munmap(reinterpret_cast<void*>(oldest.mapping), oldest.mapping_bytes);
        quarantine.pop_front();
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

}  // namespace

std::size_t total_memory() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page() / 2;
    return bytes;
}

std::size_t free_memory() {
    const std::lock_guard lock(mutex);
    return total_memory() - used;
}

cudaError_t allocate(void** pointer, std::size_t bytes, Space space) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > free_memory()) return cudaErrorMemoryAllocation;
    install_fault_handler();

    Allocation a{.bytes = bytes, .space = space};
    const std::size_t body = round_up(round_up(bytes, alignment), page());
    a.mapping_bytes = body + page();
    void* mapping = mmap(nullptr, a.mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return cudaErrorMemoryAllocation;
    a.mapping = reinterpret_cast<std::uintptr_t>(mapping);
    if (bytes >= huge_page) madvise(mapping, body, MADV_HUGEPAGE);

    // The allocation ends where the guard page begins, as near as the alignment allows.
    const std::uintptr_t begin = a.mapping + body - round_up(bytes, alignment);
    protect(a, PROT_READ | PROT_WRITE);
    std::memset(reinterpret_cast<void*>(begin), 0xff, bytes);  // Fresh device memory holds anything but zeros.
    if (space == Space::device) protect(a, PROT_NONE);

    const std::lock_guard lock(mutex);
    used += bytes;
    live.emplace(begin, a);
    *pointer = reinterpret_cast<void*>(begin);
    return cudaSuccess;
}

cudaError_t release(void* pointer, Space space) {
    if (pointer == nullptr) return cudaSuccess;
    const std::lock_guard lock(mutex);
    const auto it = live.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (it == live.end() || it->second.space != space) return cudaErrorInvalidValue;
    used -= it->second.bytes;
    bury(it->first, it->second);
    live.erase(it);
    return cudaSuccess;
}

void release_all() {
    const std::lock_guard lock(mutex);
    for (const auto& [begin, a] : live) bury(begin, a);
    live.clear();
    used = 0;
}

Space space_of(const void* pointer, std::size_t bytes, bool* whole) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::lock_guard lock(mutex);
    const auto it = containing(address);
    *whole = it == live.end() || bytes <= it->second.bytes - (address - it->first);
    return it == live.end() ? Space::host : it->second.space;
}

HostAccess::HostAccess(const void* pointer) {
    const std::lock_guard lock(mutex);
    const auto it = containing(reinterpret_cast<std::uintptr_t>(pointer));
    allocation_ = it == live.end() ? 0 : it->first;
    if (it != live.end()) open(it->second);
}

HostAccess::~HostAccess() {
    const std::lock_guard lock(mutex);
    const auto it = live.find(allocation_);
    if (it != live.end()) close(it->second);
}

void kernel_begins() {
    const std::lock_guard lock(mutex);
    ++running_kernels;
}

void kernel_ends() {
    const std::lock_guard lock(mutex);
    if (--running_kernels > 0) return;
    for (auto& [begin, a] : live) {
        if (!a.opened_by_kernel) continue;
        a.opened_by_kernel = false;
        close(a);
    }
}

bool open_for_kernel(std::uintptr_t address) {
    const std::lock_guard lock(mutex);
    // The pages around an allocation are open as a whole, so a small overflow passes unseen, as it does on a device:
    // one that depended on who touched the allocation first would be worse.
    for (auto it : {at_or_before(address), live.upper_bound(address)}) {
        if (it == live.end() || it->second.space != Space::device) continue;
        if (address - it->second.mapping >= it->second.mapping_bytes - page()) continue;
        // Another thread may have opened it between our fault and now: then the access only has to be tried again.
        if (!it->second.opened_by_kernel) {
            it->second.opened_by_kernel = true;
            open(it->second);
        }
        return true;
    }
    return false;
}

std::string describe_address(std::uintptr_t address) {
    const std::lock_guard lock(mutex);
    for (auto it = quarantine.rbegin(); it != quarantine.rend(); ++it)
        if (in_pages_of(it->allocation, address))
            return describe(address, it->begin, it->allocation.bytes, "a freed allocation");

    // The nearest live allocation, if it is near at all.
    constexpr std::uintptr_t near = 1u << 20;
    const auto before = at_or_before(address);
    const auto after = live.upper_bound(address);
    const bool near_before = before != live.end() && address - before->first < before->second.bytes + near;
    const bool near_after = after != live.end() && after->first - address < near;
    if (near_before && !(near_after && after->first - address < address - before->first - before->second.bytes))
        return describe(address, before->first, before->second.bytes, "an allocation");
    if (near_after) return describe(address, after->first, after->second.bytes, "an allocation");
    return {};
}

bool is_device_address(std::uintptr_t address) {
    const std::lock_guard lock(mutex);
    for (const Freed& freed : quarantine)
        if (in_pages_of(freed.allocation, address)) return true;
    const auto it = at_or_before(address);
    return it != live.end() && it->second.space == Space::device && in_pages_of(it->second, address);
}

}  // namespace emulator
