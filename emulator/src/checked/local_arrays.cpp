#include "local_arrays.h"

#include <cstring>
#include <iterator>
#include <map>

#include "../engine/worker.h"
#include "checker.h"
#include "counters/counters.h"
#include "emulator/check.h"

namespace emulator {

__thread StackRange own_stack;

namespace {

struct LocalVariable {
    std::size_t bytes;
    DescribedVariable type;
};

// Those that there are now, by first address. One worker runs all threads.
std::map<std::uintptr_t, LocalVariable>& arrays() {
    static auto& arrays = *new std::map<std::uintptr_t, LocalVariable>;
    return arrays;
}

bool is_watched(std::uintptr_t address) {
    return active_checker != nullptr && !counting && address - own_stack.begin < own_stack.bytes;
}

}  // namespace

void forget_local_arrays() {
    arrays().clear();
}

void* check_local_array_begins(void* array, std::size_t bytes, bool written, const DescribedVariable& variable) {
    const auto at = reinterpret_cast<std::uintptr_t>(array);
    if (!is_watched(at)) return array;
    const Uninterrupted here;
    std::memset(knowledge_of(at - local_gap), gap, bytes + 2 * local_gap);
    std::memset(knowledge_of(at), written ? fine : unwritten, bytes);
    if (!written) std::memset(array, local_poison, bytes);
    arrays()[at] = {bytes, variable};
    return array;
}

void check_local_array_ends(void* array, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(array);
    if (!is_watched(at)) return;
    const Uninterrupted here;
    std::memset(knowledge_of(at - local_gap), fine, bytes + 2 * local_gap);
    arrays().erase(at);
}

std::uintptr_t begin_of_local_array(std::uintptr_t address) {
    const auto after = arrays().upper_bound(address + local_gap);
    if (after == arrays().begin()) return 0;
    const auto& [begin, array] = *std::prev(after);
    return address < begin + array.bytes + local_gap ? begin : 0;
}

std::string local_name(std::uintptr_t address) {
    const std::uintptr_t begin = begin_of_local_array(address);
    if (begin == 0) return {};
    const LocalVariable& array = arrays()[begin];
    return variable_name(array.type, static_cast<long long>(address - begin), array.bytes, "local");
}

}  // namespace emulator
