#include "launch.h"

#include <iterator>

#include "../engine/worker.h"
#include "allocation_names.h"
#include "allocations.h"
#include "emulator/atomics.h"
#include "emulator/shared.h"
#include "findings.h"
#include "local_arrays.h"
#include "process_map.h"

namespace emulator {

void CheckedLaunch::begin(const Grid& new_grid) {
    grid = &new_grid;
    shared_variables.clear();
    dynamic_shared = {};
    renumber_blocks();
}

void CheckedLaunch::renumber_blocks() {
    first_block_ = next_number_;
    next_number_ += grid->blocks;
}

void CheckedLaunch::renumber(CheckedBlock& waited) const {
    if (waited.number < first_block_)
        waited.number += (first_block_ - waited.number + grid->blocks - 1) / grid->blocks * grid->blocks;
}

bool CheckedLaunch::is_shared(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(shared_memory) < shared_memory_reserved;
}

bool CheckedLaunch::is_near_shared(std::uintptr_t address) const {
    return address + stray_bytes - reinterpret_cast<std::uintptr_t>(shared_memory) <
           stray_bytes + shared_memory_reserved;
}

std::uint64_t CheckedLaunch::present_thread() const {
    return block->number << 10 | thread_number(threadIdx);
}

std::string CheckedLaunch::kernel() const {
    return grid->kernel;
}

std::string CheckedLaunch::who() const {
    return who(threadIdx, blockIdx);
}

std::string CheckedLaunch::who(uint3 thread, uint3 block) {
    return "thread " + index(thread) + " of block " + index(block);
}

std::string CheckedLaunch::who(Access access) const {
    const std::uint64_t linear = (access.block - first_block_) % grid->blocks;
    return who(index_in(access.thread, grid->block), index_in(linear, grid->grid));
}

std::string CheckedLaunch::who(unsigned thread) const {
    return who(index_in(thread, grid->block), blockIdx);
}

namespace {

// "cache[3][32]", the element of the array with that number; those before and behind it are counted on.
std::string element_name(const DescribedVariable& array, long long number) {
    std::string name;
    for (std::size_t d = std::size(array.extents); d-- > 0;) {
        const auto extent = static_cast<long long>(array.extents[d]);
        if (extent == 0) continue;
        name = "[" + std::to_string(d == 0 ? number : number % extent) + "]" + name;
        number /= extent;
    }
    return array.name + name;
}

// "float[32][33]" without the type
std::string declared_name(const DescribedVariable& variable) {
    std::string name = variable.name;
    for (const std::size_t extent : variable.extents)
        if (extent != 0) name += "[" + std::to_string(extent) + "]";
    return name;
}

}  // namespace

std::string variable_name(const DescribedVariable& variable, long long distance, std::size_t bytes,
                          const char* memory) {
    const auto element = static_cast<long long>(variable.element_bytes);
    const long long number = distance >= 0 ? distance / element : -((element - 1 - distance) / element);
    const bool is_array = variable.extents[0] != 0;
    std::string name = is_array || distance == 0 ? element_name(variable, number)
                                                 : variable.name + (" + " + std::to_string(distance)) + " bytes";
    name += std::string(" in ") + memory + " memory";
    const bool inside = distance >= 0 && distance < static_cast<long long>(bytes);
    return inside ? name : name + ", declared as " + declared_name(variable);
}

std::string CheckedLaunch::shared_name(std::uintptr_t address, std::size_t bytes) const {
    const auto at = static_cast<long long>(address - reinterpret_cast<std::uintptr_t>(shared_memory));
    constexpr auto dynamic = static_cast<long long>(dynamic_shared_begin);
    if (at >= dynamic)
        return (dynamic_shared.name == nullptr
                    ? ""
                    : dynamic_shared.name +
                          ("[" + std::to_string((at - dynamic) / dynamic_shared.element_bytes) + "], ")) +
               bytes_of(bytes) + " at byte " + std::to_string(at - dynamic) + " of the " +
               bytes_of(grid->dynamic_shared) + " of dynamic shared memory";

    // The last one that begins before the middle of the gap behind the address.
    const SharedVariable* nearest = nullptr;
    for (const SharedVariable& v : shared_variables) {
        const auto begin = static_cast<long long>(v.begin);
        const bool is_first = begin == 0;
        if ((is_first || begin <= at + static_cast<long long>(shared_gap / 2)) &&
            (nearest == nullptr || v.begin > nearest->begin))
            nearest = &v;
    }
    if (nearest == nullptr) return bytes_of(bytes) + " of shared memory that belongs to no variable";

    return variable_name(nearest->type, at - static_cast<long long>(nearest->begin), nearest->bytes, "shared");
}

std::string CheckedLaunch::what(std::uintptr_t address, std::size_t bytes) const {
    if (is_near_shared(address)) return shared_name(address, bytes);
    if (address - region::begin < region::bytes) {
        const std::string allocation = describe_allocation(address);
        return bytes_of(bytes) + (allocation.empty() ? "" : ", ") + allocation;
    }
    if (address - own_stack.begin < own_stack.bytes) return local_name(address);
    if (const NamedVariable* variable = variable_at_or_before(address)) {
        if (address - variable->begin < variable->bytes + stray_bytes)
            return bytes_of(bytes) + " at byte " + std::to_string(address - variable->begin) + " of " + variable->name +
                   " (" + bytes_of(variable->bytes) + ")";
    }
    return bytes_of(bytes);
}

}  // namespace emulator
