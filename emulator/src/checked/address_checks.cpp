#include "address_checks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "../engine/worker.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../reports/source_places.h"
#include "../reports/wrong_index.h"
#include "emulator/device.h"
#include "emulator/shared.h"
#include "host/allocation_names.h"
#include "host/process_map.h"
#include "kernel_heap.h"
#include "local_arrays.h"

namespace emulator {
namespace {

// Below it nothing is that a kernel may touch.
constexpr std::uintptr_t most_added_to_null = std::uintptr_t{1} << 34;

const char* const past_end =
    "Often the index was not compared with the number of elements, or with <= where < was meant.";

const char* const past_end_in_bytes =
    "Often the index was not compared with the number of elements, or with <= where < was meant; or the number of "
    "elements was asked for where bytes are counted.";

const char* const launch_lacks_bytes =
    "The launch has no third argument, the number of bytes: kernel<<<grid, block, bytes>>>(...).";

// Whether the number of bytes of an allocation may be one of elements, or that of a pointer.
bool is_too_short(std::uintptr_t address) {
    if (address - region::begin >= region::bytes) return false;
    const ShadowMemory* shadow = region::owners[(address - region::begin) / region::granule];
    if (shadow == nullptr) return false;
    const std::string made = text_of(source_place(asked_at(shadow->allocated_by)));
    const bool names_bytes = made.find("size") != made.npos || made.find("ytes") != made.npos;
    return (!made.empty() && !names_bytes) || shadow->bytes() == sizeof(void*);
}

constexpr std::uintptr_t never_mapped = 65536;  // bytes behind a null pointer

}  // namespace

ShadowMemory* shadow_of_variable(const void* pointer) {
    using Sections = std::unordered_map<const char*, std::unique_ptr<ShadowMemory>>;
    static auto& of_devices = *new std::array<Sections, most_devices>;
    static std::mutex mutex;
    const auto [begin, end] = variables_with(pointer);
    bool whole = true;
    const bool is_managed = space_of(pointer, 1, &whole) == Space::managed;
    const std::lock_guard lock(mutex);
    Sections& sections = of_devices[is_managed ? 0 : static_cast<std::size_t>(device_of_variables())];
    std::unique_ptr<ShadowMemory>& shadow = sections[begin];
    if (shadow == nullptr)
        shadow = std::make_unique<ShadowMemory>(reinterpret_cast<std::uintptr_t>(begin) / 4 * 4, end - begin + 4, true);
    return shadow.get();
}

ShadowMemory* AddressChecks::any_shadow(const Attempt& attempt, bool at_once) {
    const std::uintptr_t address = attempt.address;
    const std::size_t bytes = attempt.bytes;
    if (at_once && bytes > 1 && (bytes & (bytes - 1)) == 0 && bytes <= 16 && address % bytes != 0)
        report_attempt(
            Kind::misaligned, attempt,
            "An access of " + bytes_of(bytes) + " needs an address that is a multiple of " + std::to_string(bytes) +
                ", and this one is " + std::to_string(address % bytes) + " past such a multiple.",
            attempt.bytes > 8
                ? "Often a pointer to float was cast to float4* although it does not begin at a multiple of 16 bytes."
                : "Often an array was placed behind one of smaller elements, a structure is packed, or a pointer was "
                  "cast to one of a wider type.");
    if (address - region::begin < region::bytes) {
        ShadowMemory* shadow = region::owners[(address - region::begin) / region::granule];
        if (shadow == nullptr) return report_nowhere(attempt);
        if (shadow->freed)
            return report_attempt(
                Kind::use_after_free, attempt, "",
                cause_of_early_free(*shadow, "The memory was freed before the last kernel that uses it had ended."));
        if (!shadow->contains(address, bytes)) return report_outside(attempt);
        if (shadow->is_closed())
            return report_attempt(Kind::device_touches_peer, attempt, out_of_reach(address, launch_.grid->device), "");
        return shadow->is_between_rows(address) ? report_between_rows(attempt, *shadow) : shadow;
    }
    if (launch_.is_near_shared(address))
        return is_in_shared_variable(address, bytes) ? &launch_.block->shared : report_outside(attempt);
    if (const ResidentBlock* neighbour = launch_.neighbour_near(address)) {
        const auto last = last_shared_;
        const std::uintptr_t same_place = address - reinterpret_cast<std::uintptr_t>(neighbour->shared) +
                                          reinterpret_cast<std::uintptr_t>(launch_.shared_memory);
        const bool inside = is_in_shared_variable(same_place, bytes);
        last_shared_ = last;
        return inside ? &neighbour->checked->shared : report_outside(attempt);
    }
    if (is_of_no_block(address))
        return report_attempt(
            Kind::out_of_bounds, attempt,
            "The pointer is from map_shared_rank(), with a rank that no block of the cluster has.",
            "A cluster of n blocks has the ranks 0 to n - 1: often a neighbour is meant, and its rank "
            "was not taken modulo num_blocks().");
    return outside_of_allocations(attempt);
}

ShadowMemory* AddressChecks::report_between_rows(const Attempt& attempt, const ShadowMemory& shadow) {
    const std::size_t at = attempt.address - shadow.begin(), row = at / shadow.pitch();
    const std::string detail = "That is " + bytes_of(at % shadow.pitch() - shadow.row_bytes()) +
                               " past the end of row " + std::to_string(row) + ": a row has " +
                               bytes_of(shadow.row_bytes()) + ", and the next one begins " + bytes_of(shadow.pitch()) +
                               " after it.";
    return report_attempt(Kind::out_of_bounds, attempt, detail,
                          "Often the index was not compared with the width, or the pitch was left out or counted in "
                          "elements.");
}

ShadowMemory* AddressChecks::report_attempt(Kind kind, const Attempt& attempt, const std::string& detail,
                                            const std::string& cause) {
    reported_ = attempt.address;
    const auto access = [&]() -> Participant {
        return {launch_.who(), (attempt.write ? "writes " : "reads ") + launch_.what(attempt.address, attempt.bytes),
                attempt.code - 1, attempt.address, attempt.bytes};
    };
    if (kind == Kind::out_of_bounds && launch_.block != nullptr && launch_.block->any_shuffle_outside)
        if (const auto* shuffle = warp_masks_.gave_index(attempt.address, attempt.bytes)) {
            if (is_new(Kind::warp_mask, shuffle->code, attempt.code))
                warp_masks_.report_outside(*shuffle, thread_number(threadIdx), access());
            return nullptr;
        }
    // An index that the compiler knew to be wrong was told of already.
    if (!is_new(kind, attempt.code) || (!reported_index_.empty() && source_line(attempt.code - 1) == reported_index_))
        return nullptr;
    report({kind, launch_.kernel(), {access()}, detail, cause});
    return nullptr;
}

bool AddressChecks::is_in_shared_variable(std::uintptr_t address, std::size_t bytes) {
    const auto is_in = [&](std::size_t begin, std::size_t n) {
        const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(launch_.shared_memory) + begin,
                             at = address - first;
        if (at >= n || bytes > n - at) return false;
        last_shared_ = {first, n};
        return true;
    };
    if (is_in(dynamic_shared_begin, launch_.grid->dynamic_shared)) return true;
    return std::any_of(launch_.shared_variables.begin(), launch_.shared_variables.end(),
                       [&](const CheckedLaunch::SharedVariable& v) { return is_in(v.begin, v.bytes); });
}

ShadowMemory* AddressChecks::outside_of_allocations(const Attempt& attempt) {
    if (attempt.address - last_variable_.begin < last_variable_.bytes &&
        attempt.bytes <= last_variable_.bytes - (attempt.address - last_variable_.begin) &&
        !(attempt.write && last_variable_.constant))
        return last_variable_.shadow;
    const auto* pointer = reinterpret_cast<const void*>(attempt.address);
    const NamedVariable* variable = variable_near(attempt.address);
    if (variable != nullptr && attempt.address < variable->begin && !is_variable(pointer))
        variable = nullptr;  // It is before the first one, where the host may have something.
    const bool in_variable = variable != nullptr && attempt.address >= variable->begin &&
                             attempt.address - variable->begin + attempt.bytes <= variable->bytes;
    if (is_variable(pointer)) {
        if (variable != nullptr && !in_variable) return report_outside(attempt);
        const bool constant = is_constant(pointer);
        if (attempt.write && constant)
            return report_attempt(Kind::out_of_bounds, attempt, "Constant memory is only read by kernels.",
                                  "Make it __device__, if kernels are to change it.");
        ShadowMemory* shadow = shadow_of_variable(pointer);
        if (variable != nullptr) last_variable_ = {variable->begin, variable->bytes, shadow, constant};
        return shadow;
    }
    if (variable != nullptr && attempt.address - variable->begin - variable->bytes < stray_bytes)
        return report_outside(attempt);
    if (const auto allocation = kernel_allocation_at(attempt.address)) {
        check_kernel_allocation(attempt, *allocation);
        return nullptr;
    }
    const std::uintptr_t named = attempt.address ^ taken_on_host;
    if (is_variable(reinterpret_cast<const void*>(named)) && reported_ != attempt.address) {
        const NamedVariable* const taken = variable_near(named);
        return report_attempt(Kind::device_touches_host, attempt,
                              "The launch was given the address that the host has for " +
                                  (taken == nullptr ? "a variable of the device." : taken->name + "."),
                              "Let the kernel name the variable, or pass what cudaGetSymbolAddress() gives.");
    }
#if defined(__x86_64__)
    // The fault that follows does not know the address: see Fault::Kind::no_address.
    const std::uintptr_t upper = attempt.address >> 47;
    if (upper != 0 && upper != 0x1ffff && reported_ != attempt.address)
        return report_attempt(Kind::out_of_bounds, attempt, "No memory can have that address.",
                              "Often the pointer was never set, or was read from memory that holds no pointer.");
#endif
    bool writable = false;
    if (!is_host_memory(attempt.address, &writable) || !writable || pinned_flags(pointer)) return nullptr;
    if (attempt.address - own_stack.begin < own_stack.bytes)
        return report_attempt(Kind::out_of_bounds, attempt,
                              "That is a local variable of the thread itself. Atomic operations and barriers are for "
                              "shared and global memory.",
                              "Often __shared__ is missing where the variable is declared.");
    if (existing_worker->is_on_a_stack(attempt.address))
        return report_attempt(
            Kind::out_of_bounds, attempt,
            "That is a local variable or array of another thread, which nobody else can reach on a GPU.",
            "Often a pointer to it was put where other threads find it: put the values themselves there, or the array "
            "into shared memory.");
    if (existing_worker->is_in_shared_memory(attempt.address))
        return report_attempt(
            Kind::out_of_bounds, attempt, "That is shared memory of another block.",
            "On a GPU the pointer leads into the block's own shared memory: give other blocks what is "
            "there by global memory.");
    return report_attempt(
        Kind::device_touches_host, attempt, "That is memory of the host, which a GPU cannot reach.",
        launch_.kernel().find("lambda") == std::string::npos
            ? "Often a pointer from malloc(), new or a vector was passed to the kernel instead of the one from "
              "cudaMalloc()."
            : "Often a lambda has captured a pointer of the host, or `this`, as [=] in a member function does: "
              "capture copies of the members, [x = x], or of the object, [*this].");
}

void AddressChecks::check_kernel_allocation(const Attempt& attempt, const KernelAllocation& allocation) {
    const std::size_t at = attempt.address - allocation.begin;
    const std::string bytes = bytes_of(allocation.bytes) + " that a kernel has allocated with malloc() or new";
    if (allocation.freed) {
        // The line of a class is that of the destructor that the compiler has made.
        const SourcePlace freed = source_place(allocation.freed_by - 1);
        const auto frees = [](const SourcePlace& place) {
            return text_of(place).find("delete") != std::string::npos ||
                   text_of(place).find("free") != std::string::npos;
        };
        const std::string line = frees(freed) ? freed.name() : "";
        const bool by_all = text_of(source_place(attempt.code - 1)).starts_with("delete");
        report_attempt(
            Kind::use_after_free, attempt,
            "That is " + bytes_of(at) + " into " + bytes + ", and a kernel has freed them" +
                (line.empty() ? "." : " at " + line + "."),
            by_all ? "Each thread that comes here deletes it: one of them is to do so, as in "
                     "if (threadIdx.x == 0) delete, behind a __syncthreads()."
                   : "Often one thread frees what others, or a later kernel, still use; or an element of a list is "
                     "freed before its pointer to the next one is read.");
    } else if (at >= allocation.bytes) {
        report_attempt(Kind::out_of_bounds, attempt,
                       "That is " + bytes_of(at - allocation.bytes) + " past the end of " + bytes + ".",
                       past_end_in_bytes);
    } else if (attempt.bytes > allocation.bytes - at) {
        report_attempt(Kind::out_of_bounds, attempt, "It begins " + bytes_of(at) + " into " + bytes + ".",
                       past_end_in_bytes);
    }
}

void AddressChecks::launch_begins() {
    reported_ = ~std::uintptr_t{0} / 2;
    forget_full_heap();
    if (device_count() == 1) return;
    last_variable_ = {};  // The same addresses are other variables on each device.
    close_to_others_than(launch_.grid->device);
}

void AddressChecks::hits_gap(const Attempt& attempt) {
    report_outside(attempt);
}

void AddressChecks::hits_ended_function(const Attempt& attempt) {
    const Uninterrupted here;
    report_attempt(Kind::out_of_bounds, attempt, "That is a local array, or variable, of a function that has returned.",
                   "A function must not return the address of what it declares: let the caller declare the array, and "
                   "pass it.");
}

// Close to an array, whose name is known.
ShadowMemory* AddressChecks::report_outside(const Attempt& attempt) {
    const std::uintptr_t begin = launch_.begin_of_nearest(attempt.address);
    const bool is_before = attempt.address < begin;
    const bool names_dynamic = launch_.dynamic_shared.name != nullptr;  // even if the launch asks for none
    const bool has_shared = !launch_.shared_variables.empty() || launch_.grid->dynamic_shared > 0 || names_dynamic;
    if (launch_.is_near_shared(attempt.address) && !has_shared)
        return report_attempt(Kind::out_of_bounds, attempt, "The kernel has no shared memory.",
                              "Often another block or an earlier kernel has left the pointer in global memory. Shared "
                              "memory is there for the threads of its block only, and as long as these run.");
    const bool is_dynamic = launch_.is_near_dynamic_shared(attempt.address);
    return report_attempt(Kind::out_of_bounds, attempt, "",
                          is_dynamic && launch_.grid->dynamic_shared == 0 ? launch_lacks_bytes
                          : is_before ? cause_of_index(static_cast<long long>(attempt.address - begin), attempt.bytes)
                          : is_dynamic || is_too_short(attempt.address) ? past_end_in_bytes
                                                                        : past_end);
}

// Far from all allocations. The nearest one is named: of an index that has overflowed, it is often the right one.
ShadowMemory* AddressChecks::report_nowhere(const Attempt& attempt) {
    const std::optional<Neighbour> nearest = nearest_allocation(attempt.address);
    const ShadowMemory* shadow = nearest ? shadow_of(reinterpret_cast<const void*>(nearest->begin)) : nullptr;
    const auto distance = nearest ? static_cast<long long>(attempt.address - nearest->begin) : 0;
    if (shadow == nullptr || distance < -farthest_index_bytes || distance > farthest_index_bytes)
        return report_attempt(Kind::out_of_bounds, attempt, "No allocation is there.", past_end);
    const auto bytes = static_cast<long long>(attempt.bytes);
    const long long index = distance / bytes - (distance % bytes < 0 ? 1 : 0);
    const std::string cause = cause_of_index(distance, attempt.bytes);
    const std::size_t beyond =
        distance < 0 ? nearest->begin - attempt.address : attempt.address - nearest->begin - nearest->bytes;
    return report_attempt(Kind::out_of_bounds, attempt,
                          "No allocation is there. That is " + bytes_of(beyond) +
                              (distance < 0 ? " before " : " past the end of ") + "the nearest one, " +
                              allocation_text(*shadow) + ": as an index of elements of " + bytes_of(attempt.bytes) +
                              " that would be " + std::to_string(index) + ".",
                          cause.empty() ? past_end : cause);
}

void AddressChecks::fault(std::uintptr_t address, bool write, std::uintptr_t code) {
    if (address - reported_ < 32) return;  // a part of it
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", std::size_t{address});
    std::string neighbour = describe_address(address), cause;
    const NamedVariable* variable = variable_near(address);
    if (variable != nullptr && address < variable->begin) {
        neighbour = bytes_of(variable->begin - address) + " before " + variable->name;
        cause = cause_of_index(static_cast<long long>(address - variable->begin), 1);
    }
    if (cause.empty()) cause = "Often the index was not compared with the number of elements.";
    std::string where = neighbour.empty() ? "Nothing is there." : "That is " + neighbour + ".";
    const std::string empty = address < never_mapped ? describe_empty_arrays() : "";
    if (address < most_added_to_null) where += launch_.null_parameters();
    const std::string full = address < most_added_to_null ? describe_full_heap() : "";
    report(
        {Kind::out_of_bounds,
         launch_.kernel(),
         {{launch_.who(), std::string(write ? "writes" : "reads") + " at address " + text, code, address, 1}},
         where,
         !full.empty()    ? full
         : !empty.empty() ? empty
         : address < never_mapped
             ? launch_.null_parameters().empty()
                   ? "Often it is the end of a list, or a pointer in a structure that nobody has set; or cudaMalloc() "
                     "has failed, or was never called."
                   : "Often a pointer is null because cudaMalloc() failed, was never called, or was asked for no bytes."
             : cause});
}

void AddressChecks::called(std::uintptr_t address, std::uintptr_t code) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", std::size_t{address});
    report(
        {Kind::out_of_bounds,
         launch_.kernel(),
         {{launch_.who(), std::string("calls a function at address ") + text, code}},
         "None is there." + (address == 0 ? launch_.null_parameters() : ""),
         "A pointer to a __device__ function is valid if device code has taken the function's address: as the value of "
         "a __device__ variable, say, that cudaMemcpyFromSymbol() gives the host for the launch."});
}

}  // namespace emulator
