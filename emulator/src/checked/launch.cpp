#include "launch.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "../engine/worker.h"
#include "emulator/atomics.h"
#include "emulator/shared.h"
#include "findings.h"
#include "host/allocation_names.h"
#include "host/allocations.h"
#include "host/process_map.h"
#include "host/unordered_work.h"
#include "local_arrays.h"

namespace emulator {

thread_local NullParameters next_null_parameters;

void CheckedLaunch::begin(const Grid& new_grid) {
    grid = &new_grid;
    shared_variables.clear();
    dynamic_shared = {};
    const bool are_its_own =
        next_null_parameters.kernel != nullptr && std::strcmp(next_null_parameters.kernel, grid->kernel) == 0;
    null_parameters_ = are_its_own ? next_null_parameters.names : std::vector<const char*>();
    first_of_launch_ = next_number_;
    first_unordered_block_ = UnorderedWork::instance().kernel_begins(new_grid, first_of_launch_);
    is_beside_others_ = is_beside_kernels() || UnorderedWork::instance().copies_beside();
    renumber_blocks();
}

void CheckedLaunch::renumber_blocks() {
    if (!is_beside_kernels()) first_unordered_block_ = next_number_;
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
    return address + shared_margin - reinterpret_cast<std::uintptr_t>(shared_memory) <
           shared_margin + shared_memory_reserved + shared_margin;
}

bool CheckedLaunch::is_of_neighbour(Access access) const {
    return std::ranges::any_of(cluster->blocks,
                               [&](const ResidentBlock* each) { return each->checked->number == access.block; });
}

const ResidentBlock* CheckedLaunch::neighbour_near(std::uintptr_t address) const {
    if (cluster == nullptr || is_near_shared(address)) return nullptr;
    const auto found = std::ranges::find_if(cluster->blocks, [&](const ResidentBlock* each) {
        return address + shared_margin - reinterpret_cast<std::uintptr_t>(each->shared) <
               shared_margin + shared_memory_reserved + shared_margin;
    });
    return found == cluster->blocks.end() ? nullptr : *found;
}

std::uint64_t CheckedLaunch::present_thread() const {
    return block->number << 10 | thread_number(threadIdx);
}

std::string CheckedLaunch::kernel() const {
    return grid->kernel;
}

std::string CheckedLaunch::null_parameters() const {
    std::string text;
    for (const char* name : null_parameters_) text += std::string(text.empty() ? "" : ", ") + name;
    if (text.empty()) return {};
    return null_parameters_.size() == 1 ? " The kernel's parameter " + text + " is null."
                                        : " These parameters of the kernel are null: " + text + ".";
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

// The last static one that begins before the middle of the gap behind that byte of shared memory.
const CheckedLaunch::SharedVariable* CheckedLaunch::nearest_shared(long long at) const {
    const SharedVariable* nearest = nullptr;
    for (const SharedVariable& v : shared_variables) {
        const auto begin = static_cast<long long>(v.begin);
        const bool is_first = begin == 0;
        if ((is_first || begin <= at + static_cast<long long>(shared_gap / 2)) &&
            (nearest == nullptr || v.begin > nearest->begin))
            nearest = &v;
    }
    return nearest;
}

// Of a kernel that has dynamic shared memory: in it, behind it, or so close before it that no static variable is meant.
bool CheckedLaunch::is_near_dynamic(long long at) const {
    const auto close = static_cast<long long>(shared_gap / 2);
    return at >= static_cast<long long>(dynamic_shared_begin) - (dynamic_shared.name != nullptr ? close : 0);
}

bool CheckedLaunch::is_near_dynamic_shared(std::uintptr_t address) const {
    return is_near_shared(address) &&
           is_near_dynamic(static_cast<long long>(address - reinterpret_cast<std::uintptr_t>(shared_memory)));
}

std::uintptr_t CheckedLaunch::begin_of_nearest(std::uintptr_t address) const {
    if (is_near_shared(address)) {
        const auto begin = reinterpret_cast<std::uintptr_t>(shared_memory);
        const auto at = static_cast<long long>(address - begin);
        if (is_near_dynamic(at)) return begin + dynamic_shared_begin;
        const SharedVariable* nearest = nearest_shared(at);
        return nearest == nullptr ? 0 : begin + nearest->begin;
    }
    if (const ShadowMemory* shadow = shadow_of(reinterpret_cast<const void*>(address))) return shadow->begin();
    if (address - own_stack.begin < own_stack.bytes) return begin_of_local_array(address);
    const NamedVariable* variable = variable_near(address);
    return variable == nullptr ? 0 : variable->begin;
}

// `at`: from where it begins.
std::string CheckedLaunch::dynamic_name(long long at, std::size_t bytes) const {
    std::string element;
    if (dynamic_shared.name != nullptr) {
        const auto size = static_cast<long long>(dynamic_shared.element_bytes);
        element = dynamic_shared.name + ("[" + std::to_string(at < 0 ? (at + 1) / size - 1 : at / size) + "], ");
    }
    element += bytes_of(bytes);
    const auto all = static_cast<long long>(grid->dynamic_shared);
    const std::string whole = "the " + bytes_of(grid->dynamic_shared) + " of dynamic shared memory";
    if (at >= 0 && at < all) return element + " at byte " + std::to_string(at) + " of " + whole;
    return element + ", " + bytes_of(static_cast<std::size_t>(at < 0 ? -at : at - all)) +
           (at < 0 ? " before " : " past the end of ") + whole + " that the launch asks for";
}

std::string CheckedLaunch::shared_name(std::uintptr_t address, std::size_t bytes) const {
    const auto at = static_cast<long long>(address - reinterpret_cast<std::uintptr_t>(shared_memory));
    if (is_near_dynamic(at)) return dynamic_name(at - static_cast<long long>(dynamic_shared_begin), bytes);
    const SharedVariable* nearest = nearest_shared(at);
    if (nearest == nullptr) return bytes_of(bytes) + " of shared memory that belongs to no variable";

    return variable_name(nearest->type, at - static_cast<long long>(nearest->begin), nearest->bytes, "shared");
}

// With several blocks that may be meant.
std::string CheckedLaunch::of_block(const ResidentBlock* neighbour) const {
    if (cluster == nullptr || cluster->blocks.size() == 1) return "";
    return " of block " + index(neighbour == nullptr ? blockIdx : neighbour->index);
}

std::string CheckedLaunch::what(std::uintptr_t address, std::size_t bytes) const {
    const ResidentBlock* const neighbour = neighbour_near(address);
    if (neighbour != nullptr || is_near_shared(address)) {
        if (neighbour != nullptr)  // It has the same variables at the same places.
            address +=
                reinterpret_cast<std::uintptr_t>(shared_memory) - reinterpret_cast<std::uintptr_t>(neighbour->shared);
        std::string name = shared_name(address, bytes);
        return name.insert(std::min(name.find(", declared as"), name.size()), of_block(neighbour));
    }
    if (address - region::begin < region::bytes) {
        const std::string allocation = describe_allocation(address);
        return bytes_of(bytes) + (allocation.empty() ? "" : ", ") + allocation;
    }
    if (address - own_stack.begin < own_stack.bytes) {
        const std::string name = local_name(address);
        return name.empty() ? bytes_of(bytes) : name;
    }
    const NamedVariable* variable = variable_near(address);
    if (variable == nullptr) return bytes_of(bytes);
    const std::string place = address < variable->begin
                                  ? ", " + bytes_of(variable->begin - address) + " before "
                                  : " at byte " + std::to_string(address - variable->begin) + " of ";
    return bytes_of(bytes) + place + variable->name + " (" + bytes_of(variable->bytes) + ")";
}

}  // namespace emulator
