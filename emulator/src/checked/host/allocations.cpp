#include "allocations.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "../../engine/host_work.h"
#include "../../memory/devices.h"
#include "../../reports/source_places.h"
#include "../../runtime_api/observers.h"
#include "../checker.h"
#include "../findings.h"
#include "../memory.h"
#include "allocation_names.h"
#include "copies_to_host.h"
#include "host_objects.h"
#include "unordered_work.h"

namespace emulator {

__thread std::uintptr_t library_called_at;
__thread HostTouch last_host_touch;

// From one reserved range of addresses, so that a shadow is found by a division.
namespace region {

std::uintptr_t begin;
std::size_t bytes;
ShadowMemory* owners[most_bytes / granule];

namespace {
std::mutex mutex;
std::uintptr_t unused;                                      // behind what was handed out
std::unordered_multimap<std::size_t, std::uintptr_t> back;  // what was given back, by its bytes

// At most half of what the process has in a row, since shadow memory takes 17 times what is allocated: some ARM kernels
// give 39 bits of addresses, others 48, and x86-64 has 47.
bool reserve_region() {
    for (std::size_t n = most_bytes; n > granule; n /= 2) {
        void* all = mmap(nullptr, 2 * n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) continue;
        munmap(static_cast<char*>(all) + n + granule, n - granule);
        begin = (reinterpret_cast<std::uintptr_t>(all) + granule - 1) / granule * granule;
        bytes = n;
        unused =
            begin + n / 8 / granule * granule;  // A negative index is to lead to nowhere, and not out of the region.
        return true;
    }
    return false;
}

}  // namespace

void* reserve(std::size_t n) {
    n = (n + granule - 1) / granule * granule;
    const std::lock_guard lock(mutex);
    if (bytes == 0 && !reserve_region()) return nullptr;
    if (const auto found = back.find(n); found != back.end()) {
        const std::uintptr_t mapping = found->second;
        back.erase(found);
        return reinterpret_cast<void*>(mapping);
    }
    if (n > begin + bytes - unused) return nullptr;
    unused += n;
    return reinterpret_cast<void*>(unused - n);
}

void give_back(void* mapping, std::size_t n) {
    n = (n + granule - 1) / granule * granule;
    mmap(mapping, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    const std::lock_guard lock(mutex);
    back.emplace(n, reinterpret_cast<std::uintptr_t>(mapping));
}

}  // namespace region

namespace {

// The shadows of live and lately freed allocations by first address. Never destroyed.
struct Shadows {
    std::mutex mutex;
    std::map<std::uintptr_t, std::unique_ptr<ShadowMemory>> all;

    ShadowMemory* at(std::uintptr_t address) {
        const auto after = all.upper_bound(address);
        return after == all.begin() ? nullptr : std::prev(after)->second.get();
    }
};

Shadows& shadows() {
    static Shadows& shadows = *new Shadows;
    return shadows;
}

}  // namespace

ShadowMemory* shadow_of(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return address - region::begin < region::bytes ? region::owners[(address - region::begin) / region::granule]
                                                   : nullptr;
}

void* reserve_addresses(std::size_t bytes) {
    void* mapping = region::reserve(bytes);
    return mapping == nullptr ? MAP_FAILED : mapping;
}

void return_addresses(void* mapping, std::size_t bytes) {
    region::give_back(mapping, bytes);
}

bool note_allocated(std::uintptr_t begin, std::size_t bytes, bool open_to_host, int device) try {
    auto shadow = std::make_unique<ShadowMemory>(begin, bytes, open_to_host);
    static std::atomic<unsigned long> allocations = 0;
    shadow->number = ++allocations;
    if (!open_to_host) shadow->device = device;
    shadow->first_block = UnorderedWork::instance().next_block();
    shadow->allocated_by = callers();
    note_no_objects(begin, bytes);
    // The whole granules, with some of what is kept free around it, belong to no other allocation.
    const std::uintptr_t first = (begin - region::begin) / region::granule - 1;
    const std::uintptr_t last = (begin + bytes - 1 - region::begin) / region::granule + 1;
    const std::lock_guard lock(shadows().mutex);
    auto& known = shadows().all[begin];
    if (known != nullptr) shadow->allocated_by = known->allocated_by;  // Who has reserved the address gave it a name.
    known = std::move(shadow);
    for (std::uintptr_t g = first; g <= last; ++g) region::owners[g] = known.get();
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

void note_freed(std::uintptr_t begin, const Frames& freed_by) {
    const std::lock_guard lock(shadows().mutex);
    ShadowMemory& shadow = *shadows().all.at(begin);
    shadow.freed = true;
    shadow.close(true);
    shadow.give_up_words();
    shadow.freed_by = freed_by;
}

void note_forgotten(std::uintptr_t mapping, std::size_t bytes) {
    const std::lock_guard lock(shadows().mutex);
    for (std::uintptr_t at = mapping; at < mapping + bytes; at += region::granule)
        region::owners[(at - region::begin) / region::granule] = nullptr;
    if (const ShadowMemory* shadow = shadows().at(mapping + bytes)) shadows().all.erase(shadow->begin());
}

void close_to_others_than(int device) {
    const std::lock_guard lock(shadows().mutex);
    for (const auto& [begin, shadow] : shadows().all)
        shadow->close(shadow->freed || (shadow->device && !can_reach(device, *shadow->device)));
}

void note_rows(const void* begin, std::size_t pitch, std::size_t row_bytes) {
    if (ShadowMemory* shadow = shadow_of(begin)) shadow->set_rows(pitch, row_bytes);
}

namespace {

// Of several such bytes a number becomes that is hardly meant: 16843009 of 1. Left out are bytes of which people know
// what they make, such as 0x3f, which makes a large int, and large ones, which often mark what is not to be read.
bool makes_odd_numbers(int value) {
    return value > 0 && value <= 100 && value != 0x33 && value != 0x3f && value != 0x55 && value != 0x5a;
}

struct EmptyArrays {
    std::mutex mutex;
    std::vector<ShadowMemory::Frames> asked_by;
};

EmptyArrays& empty_arrays() {
    static auto& arrays = *new EmptyArrays;
    return arrays;
}

}  // namespace

void note_filled(const void* to, std::size_t bytes, int value) {
    tell_observer([&](Observer& told) { told.filled(to, bytes); });
    UnorderedWork::instance().touches(reinterpret_cast<std::uintptr_t>(to), bytes, true);
    ShadowMemory* shadow = shadow_of(to);
    if (shadow == nullptr) return;
    if (!makes_odd_numbers(value)) return shadow->set_initialised(reinterpret_cast<std::uintptr_t>(to), bytes);
    shadow->set_filled(reinterpret_cast<std::uintptr_t>(to), bytes);
    shadow->filled_by = callers();
}

void note_opened(std::uintptr_t address) {
    if (ShadowMemory* shadow = shadow_of(reinterpret_cast<const void*>(address)))
        shadow->set_initialised(shadow->begin(), shadow->bytes());
}

void note_allocated_nothing() {
    const ShadowMemory::Frames frames = callers();
    const std::lock_guard lock(empty_arrays().mutex);
    auto& known = empty_arrays().asked_by;
    if (std::find(known.begin(), known.end(), frames) == known.end()) known.push_back(frames);
}

std::string describe_empty_arrays() {
    const std::lock_guard lock(empty_arrays().mutex);
    std::string text;
    for (const ShadowMemory::Frames& frames : empty_arrays().asked_by) {
        const SourcePlace place = source_place(asked_at(frames));
        const std::string name = variable_name_at(frames);
        text += (text.empty() ? "" : ", ") + (name.empty() ? "an array" : name) +
                (place.path.empty() ? "" : " (made at " + place.name() + ")");
    }
    return text.empty() ? "" : "A null pointer is what cudaMalloc() gives for 0 elements: " + text + ".";
}

void note_copied(const void* to, const void* from, std::size_t bytes) {
    note_objects_copied(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes);
    tell_observer([&](Observer& told) { told.copied(to, from, bytes); });
    UnorderedWork::instance().touches(reinterpret_cast<std::uintptr_t>(from), bytes, false);
    UnorderedWork::instance().touches(reinterpret_cast<std::uintptr_t>(to), bytes, true);
    ShadowMemory* const shadow = shadow_of(to);
    if ((shadow == nullptr || !shadow->device) && !is_variable(to))
        note_from_device(reinterpret_cast<std::uintptr_t>(from), bytes);
    if (shadow != nullptr)
        shadow->copy_initialised(reinterpret_cast<std::uintptr_t>(to), shadow_of(from),
                                 reinterpret_cast<std::uintptr_t>(from), bytes);
    else if (!is_variable(to))
        copied_to_host(reinterpret_cast<std::uintptr_t>(to), shadow_of(from), reinterpret_cast<std::uintptr_t>(from),
                       bytes);
}

std::uintptr_t place_of_host_touch(std::uintptr_t address, std::uintptr_t code) {
    const HostTouch& last = last_host_touch;
    if (library_called_at != 0) code = library_called_at - 1;
    return address - last.address < last.bytes ? last.code - 1 : code;
}

void note_host_touch(std::uintptr_t address, bool write, std::uintptr_t code, bool by_call) {
    const ShadowMemory* shadow = shadow_of(reinterpret_cast<const void*>(address));
    const bool freed = shadow != nullptr && shadow->freed;
    // An algorithm reaches all that a kernel would, so there is nothing where it fails.
    const bool algorithm = does_host_work();
    const std::string cause =
        algorithm ? "Often the array that an algorithm writes to is too small: no algorithm makes it larger."
        : by_call && !write
            ? "The call reads there, and the host cannot reach that memory: give the call the address of a variable of "
              "the host, as &x for an argument x. What the memory holds, cudaMemcpy() copies."
        : by_call ? "The call stores its result there, and the host cannot reach that memory: give the call the "
                    "address of a variable of the host, and copy the variable with cudaMemcpy()."
                  : "The host cannot reach it: copy it with cudaMemcpy(). Often the device's array is used where "
                    "the host's is meant.";
    report({freed       ? Kind::use_after_free
            : algorithm ? Kind::out_of_bounds
                        : Kind::host_touches_device,
            "",
            {{algorithm ? "an algorithm of Thrust" : "host code",
              (write ? "writes to memory, " : "reads memory, ") + describe_allocation(address), code}},
            "",
            freed ? "" : cause});
}

void note_host_free(std::uintptr_t begin, std::uintptr_t code) {
    report({Kind::invalid_free,
            "",
            {{"host code", "gives free() or delete memory of CUDA's, " + describe_allocation(begin), code}},
            "",
            "cudaFree() gives back what is from cudaMalloc(), and cudaFreeHost() what is from cudaMallocHost()."});
}

void note_bad_copy(const char*, const void* pointer, const std::string& why, const std::string& cause) {
    const ShadowMemory* shadow = shadow_of(pointer);
    Finding finding{
        Kind::invalid_copy,
        "",
        {{"host code", "copies or fills memory", asked_at(callers())}},
        why,
        cause.empty()
            ? "Often the size is a number of elements instead of bytes, or the two pointers are in the wrong order."
            : cause};
    if (shadow != nullptr && shadow->freed) {
        finding.kind = Kind::use_after_free;
        finding.participants.push_back({"host code", "freed it", asked_at(shadow->freed_by)});
        finding.cause = cause_of_early_free(*shadow, "");
    }
    report(finding);
}

void note_bad_free(const void* pointer) {
    const ShadowMemory::Frames frames = callers();
    const std::uintptr_t code = asked_at(frames);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const ShadowMemory* shadow = shadow_of(pointer);
    Finding finding{Kind::invalid_free, "", {{"host code", "frees memory", code}}, "", ""};
    if (shadow != nullptr && shadow->freed && address == shadow->begin()) {
        finding.kind = Kind::double_free;
        finding.participants.front().what = "frees memory that was freed before";
        finding.participants.push_back({"host code", "freed it the first time", asked_at(shadow->freed_by)});
        finding.cause = cause_of_early_free(*shadow,
                                            "Often two objects own the same pointer, or what cleans up after an error "
                                            "frees what is freed again later.");
    } else if (shadow != nullptr && !shadow->freed) {
        finding.detail =
            address == shadow->begin()
                ? "cudaFree() is for cudaMalloc() and cudaFreeHost() for cudaMallocHost()."
                : "The pointer is not where the allocation begins, but " + describe_allocation(address) + ".";
    } else {
        finding.detail = "The pointer is not from cudaMalloc().";
        finding.cause = "Often the host's array is passed to cudaFree() and the device's to free().";
    }
    report(finding);
}

}  // namespace emulator
