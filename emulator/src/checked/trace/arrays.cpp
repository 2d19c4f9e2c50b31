#include "arrays.h"

#include <algorithm>
#include <string_view>

#include "../../engine/grid.h"
#include "../checker.h"
#include "../host/allocation_names.h"
#include "../host/allocations.h"
#include "../host/process_map.h"
#include "emulator/shared.h"

namespace emulator {
namespace {

std::vector<std::size_t> extents_of(const DescribedVariable& variable) {
    std::vector<std::size_t> extents;
    for (const std::size_t extent : variable.extents)
        if (extent != 0) extents.push_back(extent);
    return extents;
}

std::vector<std::size_t> row_of(std::size_t bytes, std::size_t element_bytes) {
    return {element_bytes == 0 ? bytes : bytes / element_bytes};
}

}  // namespace

void TracedArrays::add_pointer(const char* name, std::uintptr_t address, const DescribedVariable& pointee) {
    const auto same = [&](const Pointer& p) { return p.name == name && p.address == address; };
    if (address != 0 && std::ranges::none_of(pointers_, same)) pointers_.push_back({name, address, pointee});
}

TracedArrays::Place TracedArrays::find(std::uintptr_t address, std::size_t bytes, Memory memory,
                                       std::uintptr_t shared) {
    const std::uintptr_t at = memory == Memory::shared ? address - shared : address;
    const auto holds = [&](const TracedArray& a) { return a.memory == memory && at - a.begin < a.bytes; };
    if (last_ >= all_.size() || !holds(all_[last_])) {
        last_ = static_cast<std::size_t>(std::ranges::find_if(all_, holds) - all_.begin());
        if (last_ == all_.size()) {
            if (memory == Memory::shared)
                add_shared(at, bytes);
            else if (shadow_of(reinterpret_cast<const void*>(address)) != nullptr)
                add_global(address);
            else
                add_variable(address, memory);
        }
    }
    return {static_cast<std::uint32_t>(last_), static_cast<std::int64_t>(at - all_[last_].begin)};
}

// The static variable that the bytes are in or behind, or all of dynamic shared memory.
void TracedArrays::add_shared(std::uintptr_t at, std::size_t bytes) {
    const CheckedLaunch& launch = Checker::instance().launch();
    TracedArray array{"shared memory", Memory::shared, at, bytes, 0, {}, {}};
    if (at >= dynamic_shared_begin) {
        const DescribedVariable& type = launch.dynamic_shared;
        array.begin = dynamic_shared_begin;
        array.bytes = std::max(launch.grid->dynamic_shared, at - dynamic_shared_begin + bytes);
        if (type.name != nullptr) {
            array.name = type.name;
            array.element_bytes = type.element_bytes;
            array.numbers = type.numbers;
        }
        array.extents = row_of(array.bytes, array.element_bytes);
    } else {
        const CheckedLaunch::SharedVariable* nearest = nullptr;
        for (const CheckedLaunch::SharedVariable& v : launch.shared_variables)
            if (v.begin <= at && (nearest == nullptr || v.begin > nearest->begin)) nearest = &v;
        if (nearest != nullptr)
            array = {nearest->type.name,
                     Memory::shared,
                     nearest->begin,
                     nearest->bytes,
                     nearest->type.element_bytes,
                     extents_of(nearest->type),
                     nearest->type.numbers};
        const auto known = std::ranges::find(all_, array.begin, &TracedArray::begin);
        if (nearest != nullptr && known != all_.end() && known->memory == Memory::shared) {
            last_ = static_cast<std::size_t>(known - all_.begin());  // out of its bounds
            return;
        }
    }
    all_.push_back(std::move(array));
}

// The allocation; the part of it that begins at a pointer that the kernel was given, under the pointer's name.
void TracedArrays::add_global(std::uintptr_t address) {
    const ShadowMemory& shadow = *shadow_of(reinterpret_cast<const void*>(address));
    const std::string name = allocation_name(shadow);
    TracedArray whole{name.empty() ? "an allocation" : name, Memory::global, shadow.begin(), shadow.bytes(), 0, {}, {}};
    if (address - shadow.begin() >= shadow.bytes()) address = shadow.begin();  // out of its bounds
    add_part(std::move(whole), address);
}

void TracedArrays::add_part(TracedArray whole, std::uintptr_t address) {
    const std::uintptr_t end = whole.begin + whole.bytes;
    const Pointer* own = nullptr;
    std::uintptr_t next = end;
    for (const Pointer& p : pointers_) {
        if (p.address - whole.begin >= whole.bytes) continue;
        if (p.address > address)
            next = std::min(next, p.address);
        else if (own == nullptr || p.address > own->address)
            own = &p;
    }
    TracedArray array = std::move(whole);
    if (own != nullptr) {
        array.name = own->name;
        array.begin = own->address;
        array.element_bytes = own->pointee.element_bytes;
        array.numbers = own->pointee.numbers;
    }
    array.bytes = next - array.begin;
    array.extents = row_of(array.bytes, array.element_bytes);
    const auto same = [&](const TracedArray& a) { return a.memory == array.memory && a.begin == array.begin; };
    const auto known = std::ranges::find_if(all_, same);
    last_ = static_cast<std::size_t>(known - all_.begin());
    if (known == all_.end()) all_.push_back(std::move(array));
}

void TracedArrays::add_variable(std::uintptr_t address, Memory memory) {
    const NamedVariable* const variable = memory == Memory::none ? nullptr : variable_at_or_before(address);
    constexpr std::uintptr_t page = 4096;
    bool writable = false;
    const bool is_host = is_host_memory(address, &writable);
    TracedArray array{is_host ? "the host's memory" : "no memory", memory, address / page * page, page, 0, {}, {}};
    if (variable != nullptr && address - variable->begin < variable->bytes) {
        array.name = variable->name;
        array.begin = variable->begin;
        array.bytes = variable->bytes;
        array.extents = row_of(array.bytes, 0);
    }
    all_.push_back(std::move(array));
}

}  // namespace emulator
