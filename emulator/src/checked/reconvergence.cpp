// How the lanes of a warp part and meet again, and so which of their accesses are one request: see counters.h.

#include <algorithm>
#include <utility>

#include "counters.h"

namespace emulator {

void Counters::close_all() {
    for (unsigned first = 0; first < threads_; first += lanes_of_warp) close(first / lanes_of_warp);
}

void Counters::close(unsigned warp) {
    complete();
    Thread* const threads = block_->threads + warp * lanes_of_warp;
    std::size_t at[lanes_of_warp] = {};
    unsigned left = 0;
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        std::vector<Event>& events = threads[lane].events;
        if (events.empty()) continue;
        events_ -= events.size();
        left |= 1u << lane;
    }
    if (!lost_) order_sites();
    while (left != 0 && !lost_) {
        const auto next = [&](unsigned lane) -> const Event& { return threads[lane].events[at[lane]]; };
        const auto waits = [&](const Event& event) {
            if (sites_[event.site].operation != Operation::warp_operation) return false;
            for (unsigned rest = event.bytes & left; rest != 0; rest &= rest - 1) {
                const Event& other = next(static_cast<unsigned>(__builtin_ctz(rest)));
                if (other.site != event.site || other.address != event.address) return true;
            }
            return false;
        };
        const Event* first = nullptr;
        for (unsigned rest = left; rest != 0; rest &= rest - 1) {
            const Event& event = next(static_cast<unsigned>(__builtin_ctz(rest)));
            if (first != nullptr && ranks_[event.site] >= ranks_[first->site]) continue;
            if (!waits(event)) first = &event;
        }
        const bool meets = sites_[first->site].operation == Operation::warp_operation;
        const Event* together[lanes_of_warp] = {};
        for (unsigned rest = left; rest != 0; rest &= rest - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            const Event& event = next(lane);
            if (event.site != first->site || event.bytes != first->bytes || (meets && event.address != first->address))
                continue;
            together[lane] = &event;
            if (++at[lane] == threads[lane].events.size()) left &= ~(1u << lane);
        }
        count(warp, together);
    }
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        threads[lane].events.clear();
        threads[lane].moved.clear();
    }
}

// By the way from the kernel to them, and by where they stand in the program there.
void Counters::order_sites() {
    if (ranks_.size() == sites_.size()) return;
    std::vector<std::pair<std::vector<std::uintptr_t>, std::uint32_t>> ways;
    for (std::uint32_t number = 0; number < sites_.size(); ++number) {
        const Site& site = sites_[number];
        std::vector<std::uintptr_t> way;
        for (std::uint32_t path = site.path; path != 0; path = paths_[path].outer) way.push_back(paths_[path].caller);
        std::reverse(way.begin(), way.end());
        way.insert(way.end(), {site.code, static_cast<std::uintptr_t>(site.operation), site.piece,
                               static_cast<std::uintptr_t>(site.memory)});
        ways.emplace_back(std::move(way), number);
    }
    std::sort(ways.begin(), ways.end());
    ranks_.resize(sites_.size());
    for (std::uint32_t rank = 0; rank < ways.size(); ++rank) ranks_[ways[rank].second] = rank;
}

Counts& Counters::counts_of(std::uint32_t site) {
    if (kernel_->sites.size() <= site) kernel_->sites.resize(sites_.size());
    return kernel_->sites[site];
}

// `lanes`: what each lane of the warp does, or null.
void Counters::count(unsigned warp, const Event* const* lanes) {
    const Event& any = **std::find_if(lanes, lanes + lanes_of_warp, [](const Event* e) { return e != nullptr; });
    const Site& site = sites_[any.site];
    LaneAddresses addresses;
    for (std::size_t lane = 0; lane < lanes_of_warp; ++lane)
        if (lanes[lane] != nullptr) addresses[lane] = lanes[lane]->address;
    const Counts counts = count_request(site.operation, site.memory, any.bytes, addresses);
    counts_of(any.site).add(counts);
    const auto memory = static_cast<std::size_t>(site.memory), operation = static_cast<std::size_t>(site.operation);
    std::uint64_t& most = kernel_->most_of_a_warp[memory][operation];
    most = std::max(most, ++block_->of_warps[warp][memory][operation]);
    std::uint64_t& most_of_a_block = kernel_->most_of_a_block[memory][operation];
    most_of_a_block = std::max(most_of_a_block, ++block_->of_all_warps[memory][operation]);
    if (block_->traced != nullptr) trace(warp, lanes, addresses, counts);
}

}  // namespace emulator
