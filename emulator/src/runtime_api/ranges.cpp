#include "ranges.h"

#include "nvtx3/nvToolsExt.h"

namespace emulator {
namespace {

thread_local std::vector<std::string> ranges;

}  // namespace

void push_range(const char* name) {
    ranges.emplace_back(name ? name : "");
}

void pop_range() {
    if (!ranges.empty()) ranges.pop_back();
}

const std::vector<std::string>& current_ranges() {
    return ranges;
}

}  // namespace emulator
