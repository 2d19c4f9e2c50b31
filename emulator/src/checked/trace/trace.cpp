#include "trace.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../../engine/grid.h"

namespace emulator {

bool watching = false;

void watch_if_asked() {
    watching = std::getenv("EMULATOR_WATCH") != nullptr || std::getenv("EMULATOR_WATCH_JSON") != nullptr;
}

Trace& Trace::instance() {
    static Trace& trace = *new Trace;
    return trace;
}

void Trace::grid_begins(const Grid& grid, const std::vector<std::string>& ranges) {
    launch_ = nullptr;
    if (steps_ >= most_steps || numbers_ >= most_numbers) {
        ++launches_left_out_;
        return;
    }
    launches_.push_back(std::make_unique<TracedLaunch>());
    launch_ = launches_.back().get();
    launch_->kernel = grid.kernel;
    launch_->stage = ranges.empty() ? "" : ranges.back();
    launch_->grid = grid.grid;
    launch_->block = grid.block;
    launch_->blocks = grid.blocks;
    launch_->arrays = std::exchange(pointers_, {});
    most_steps_of_block_ = most_steps / std::min<std::uint64_t>(most_blocks, grid.blocks);
}

void Trace::grid_ends(std::uintptr_t kernel_code) {
    if (launch_ != nullptr) launch_->code = kernel_code;
    launch_ = nullptr;
}

// The first ones of a grid and its last one.
TracedBlock* Trace::block_begins(uint3 index, const void* shared) {
    if (launch_ == nullptr) return nullptr;
    const dim3 grid = launch_->grid;
    const std::uint64_t number = index.x + std::uint64_t{grid.x} * (index.y + std::uint64_t{grid.y} * index.z);
    if (number + 1 >= most_blocks && number + 1 != launch_->blocks) return nullptr;
    launch_->shown.push_back(std::make_unique<TracedBlock>());
    TracedBlock& block = *launch_->shown.back();
    block.index = index;
    block.shared = reinterpret_cast<std::uintptr_t>(shared);
    barrier(block, TracedRound::no_barrier);
    return &block;
}

// Ends a round and begins the next one.
void Trace::barrier(TracedBlock& block, std::uint32_t site) {
    const unsigned threads = launch_->block.x * launch_->block.y * launch_->block.z;
    if (!block.rounds.empty()) block.rounds.back().barrier = site;
    block.rounds.emplace_back().warps.resize((threads + lanes_of_warp - 1) / lanes_of_warp);
}

void Trace::step(TracedBlock& block, unsigned warp, std::uint32_t site, Memory memory, std::uint32_t bytes,
                 const Counts& counts, const LaneAddresses& lanes, const Moved* const* moved) {
    // Each warp has its share, so that what is shown of them is about the same part of the kernel.
    const std::size_t most = most_steps_of_block_ / block.rounds.back().warps.size();
    if (++block.steps_of_warp[warp] > most || steps_ >= most_steps || numbers_ >= most_numbers) {
        ++block.left_out;
        return;
    }
    ++steps_;
    bytes_of_site_[site] = bytes;
    ++block.steps;
    std::vector<TracedStep>& of_warp = block.rounds.back().warps[warp];
    TracedStep& step = of_warp.emplace_back();
    step.site = site;
    step.bytes = bytes;
    step.counts = counts;
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        if (!lanes[lane]) continue;
        TracedArrays::Place place{};
        if (memory != Memory::none) place = launch_->arrays.find(*lanes[lane], bytes, memory, block.shared);
        step.lanes.push_back({lane, place.array, place.offset, moved[lane] == nullptr ? Moved{} : *moved[lane]});
        numbers_ += std::max<std::size_t>(1, bytes / 4);
        if (step.lanes.back().moved.finding != 0)
            mark(step.lanes.back().moved.finding, block, block.rounds.size() - 1, warp, of_warp.size() - 1, lane);
    }
}

std::uint32_t Trace::finding(std::string_view kind, const std::string& report) {
    if (launch_ == nullptr) return 0;
    launch_->findings.push_back({std::string(kind), report, {}});
    return static_cast<std::uint32_t>(launch_->findings.size());
}

void Trace::mark(std::uint32_t finding, const TracedBlock& block, std::size_t round, std::size_t warp, std::size_t step,
                 unsigned lane) {
    const auto is_it = [&](const auto& shown) { return shown.get() == &block; };
    const auto number = std::ranges::find_if(launch_->shown, is_it) - launch_->shown.begin();
    launch_->findings[finding - 1].positions.push_back({static_cast<std::size_t>(number), round, warp, step, lane});
}

}  // namespace emulator
