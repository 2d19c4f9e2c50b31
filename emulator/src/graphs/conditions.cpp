#include "conditions.h"

#include <map>
#include <mutex>

namespace emulator {
namespace {

struct Condition {
    unsigned value, first;
    bool is_reset;
};

// Kernels set them on several OS threads.
struct Conditions {
    std::mutex mutex;
    std::map<cudaGraphConditionalHandle, Condition> all;
    cudaGraphConditionalHandle last = 0;
};

Conditions& conditions() {
    static auto& all = *new Conditions;
    return all;
}

}  // namespace

cudaGraphConditionalHandle make_condition(unsigned value, unsigned flags) {
    const std::lock_guard lock(conditions().mutex);
    conditions().all[++conditions().last] = {value, value, (flags & cudaGraphCondAssignDefault) != 0};
    return conditions().last;
}

bool is_condition(cudaGraphConditionalHandle handle) {
    const std::lock_guard lock(conditions().mutex);
    return conditions().all.count(handle) > 0;
}

unsigned condition(cudaGraphConditionalHandle handle) {
    const std::lock_guard lock(conditions().mutex);
    const auto found = conditions().all.find(handle);
    return found == conditions().all.end() ? 0 : found->second.value;
}

void reset_condition(cudaGraphConditionalHandle handle) {
    const std::lock_guard lock(conditions().mutex);
    const auto found = conditions().all.find(handle);
    if (found != conditions().all.end() && found->second.is_reset) found->second.value = found->second.first;
}

}  // namespace emulator

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    const std::lock_guard lock(emulator::conditions().mutex);
    const auto found = emulator::conditions().all.find(handle);
    if (found != emulator::conditions().all.end()) found->second.value = value;
}
