#include "ranges.h"

#include <vector>

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

std::string current_range() {
    return ranges.empty() ? "" : ranges.back();
}

}  // namespace emulator
