#include "trace.h"

#include <algorithm>
#include <utility>

#include "../../engine/grid.h"
#include "../../settings.h"

namespace emulator {

bool watching = false;

namespace {

// What takes how many bytes of a page, about: of that part of it that has 4 of its bytes in 3.
constexpr std::size_t bytes_of_launch = 20, bytes_of_round = 4, bytes_of_number = 1, bytes_of_offset = 3;

// Small numbers have few bytes that say something.
std::size_t written_bytes(const std::array<unsigned char, Moved::most>& moved) {
    const auto says_nothing = [](unsigned char byte) { return byte == 0 || byte == 0xff; };
    const auto nothing = static_cast<std::size_t>(std::ranges::count_if(moved, says_nothing));
    return nothing == moved.size() ? 0 : bytes_of_number + (moved.size() - nothing) * 11 / 10;
}

// Whether the warp's last step was the same lane's with the same number, which is little to write then.
bool moved_before(const std::vector<TracedStep>& steps, std::size_t lane) {
    if (steps.size() < 2) return false;
    const auto &now = steps.back().lanes, &last = steps[steps.size() - 2].lanes;
    return lane < last.size() && last[lane].lane == now[lane].lane && last[lane].moved.after == now[lane].moved.after;
}

}  // namespace

bool TracedStep::is_row() const {
    for (std::size_t i = 1; i < lanes.size(); ++i)
        if (lanes[i].offset - lanes[i - 1].offset != by()) return false;
    return true;
}

void watch_if_asked() {
    watching = value_of<settings::watch>() != nullptr || value_of<settings::watch_json>() != nullptr;
}

Trace& Trace::instance() {
    static Trace& trace = *new Trace;
    return trace;
}

void Trace::grid_begins(const Grid& grid, const std::vector<std::string>& ranges) {
    launch_ = nullptr;
    if (steps_ >= most_steps || bytes_ >= most_bytes) {
        ++launches_left_out_;
        return;
    }
    bytes_ += bytes_of_launch;
    launches_.push_back(std::make_unique<TracedLaunch>());
    launch_ = launches_.back().get();
    launch_->kernel = grid.kernel;
    launch_->stage = ranges.empty() ? "" : ranges.back();
    launch_->grid = grid.grid;
    launch_->block = grid.block;
    launch_->blocks = grid.blocks;
    launch_->arrays = std::exchange(pointers_, {});
    most_steps_of_block_ = most_steps / std::min<std::uint64_t>(most_blocks, grid.blocks);
    most_bytes_of_block_ = most_bytes / std::min<std::uint64_t>(most_blocks, grid.blocks);
}

void Trace::grid_ends(std::uintptr_t kernel_code) {
    if (launch_ != nullptr) launch_->code = kernel_code;
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
    begin_round(block);
    return &block;
}

// Each warp has its share, so that what is shown of them is about the same part of the kernel.
bool Trace::is_full(const TracedBlock& block, unsigned warp) const {
    const std::size_t warps = block.rounds.back().warps.size();
    const TracedBlock::Kept& kept = block.of_warp[warp];
    return block.has_ended || kept.steps >= most_steps_of_block_ / warps ||
           kept.bytes >= most_bytes_of_block_ / warps || steps_ >= most_steps || bytes_ >= most_bytes;
}

// Ends a round and begins the next one.
void Trace::barrier(TracedBlock& block, std::uint32_t site) {
    if (block.left_out > 0 || block.rounds.size() > most_steps_of_block_ || bytes_ >= most_bytes) {
        block.has_ended = true;
        ++block.left_out;
        return;
    }
    block.rounds.back().barrier = site;
    begin_round(block);
}

void Trace::begin_round(TracedBlock& block) {
    bytes_ += bytes_of_round;
    const unsigned threads = launch_->block.x * launch_->block.y * launch_->block.z;
    block.rounds.emplace_back().warps.resize((threads + lanes_of_warp - 1) / lanes_of_warp);
}

// A grid's barrier is two of the block's, between which nothing is done.
void Trace::grid_barrier_opens(TracedBlock& block) {
    if (block.left_out == 0) block.rounds[block.rounds.size() - 2].of_grid = true;
}

void Trace::step(TracedBlock& block, unsigned warp, std::uint32_t site, Memory memory, std::uint32_t bytes,
                 const Counts& counts, const LaneAddresses& lanes, const Moved* const* moved) {
    if (is_full(block, warp)) {
        ++block.left_out;
        return;
    }
    ++steps_;
    bytes_of_site_[site] = bytes;
    ++block.steps;
    ++block.of_warp[warp].steps;
    std::size_t written = 0;
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
        const Moved& of_lane = step.lanes.back().moved;
        written += written_bytes(of_lane.before);
        written += moved_before(of_warp, step.lanes.size() - 1) ? bytes_of_number : written_bytes(of_lane.after);
        if (step.lanes.back().moved.finding != 0)
            mark(step.lanes.back().moved.finding, block, block.rounds.size() - 1, warp, of_warp.size() - 1, lane);
    }
    if (!step.is_row()) written += bytes_of_offset * step.lanes.size();
    bytes_ += written;
    block.of_warp[warp].bytes += written;
}

void Trace::graph(TracedGraph launched) {
    const auto is_alike = [&](const TracedGraph& known) {
        return known.nodes == launched.nodes && known.left_out == launched.left_out;
    };
    const auto known = std::ranges::find_if(graphs_, is_alike);
    if (known != graphs_.end())
        ++known->launches;
    else if (graphs_.size() < TracedGraph::most)
        graphs_.push_back(std::move(launched));
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
