// How the lanes of a warp part and meet again, and so which of their accesses are one request: see counters.h.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "counters/counters.h"

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
    if (!lost_) {
        order_sites();
        find_loops(threads);
    }
    std::uint64_t turns[lanes_of_warp] = {};
    for (unsigned rest = lost_ ? 0 : left; rest != 0; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        turns[lane] = turn_of(threads[lane], 0);
    }
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
        for (bool round_begins = true; round_begins;) {
            std::uint64_t turn = 0;
            first = nullptr;
            for (unsigned rest = left; rest != 0; rest &= rest - 1) {
                const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
                if ((first != nullptr && turns[lane] >= turn) || waits(next(lane))) continue;
                first = &next(lane);
                turn = turns[lane];
            }
            round_begins = turn % 2 == 1;
            for (unsigned rest = round_begins ? left : 0; rest != 0; rest &= rest - 1) {
                const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
                if (turns[lane] == turn) turns[lane] = 2 * std::uint64_t{ranks_[next(lane).site]};
            }
        }
        const bool meets = sites_[first->site].operation == Operation::warp_operation;
        const Event* together[lanes_of_warp] = {};
        for (unsigned rest = left; rest != 0; rest &= rest - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            const Event& event = next(lane);
            if (event.site != first->site || event.bytes != first->bytes || (meets && event.address != first->address))
                continue;
            together[lane] = &event;
            if (++at[lane] == threads[lane].events.size())
                left &= ~(1u << lane);
            else
                turns[lane] = turn_of(threads[lane], at[lane]);
        }
        count(warp, together);
    }
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        if (!threads[lane].events.empty()) threads[lane].site_before = threads[lane].events.back().site;
        threads[lane].events.clear();
        threads[lane].moved.clear();
    }
}

bool Counters::goes_back(const Thread& thread, std::size_t event, std::uint32_t* from) const {
    const std::uint32_t before = event > 0 ? thread.events[event - 1].site : thread.site_before;
    if (before == no_site) return false;
    *from = ranks_[before];
    return ranks_[thread.events[event].site] <= *from;
}

// Where a lane goes back in the program, it begins another round of a loop. The loop ends behind all places from which
// lanes go back to its begin, and a loop that begins in another one and ends behind it is the same one. Two loops may
// begin at one place: if all lanes come to its end equally often, that is the outer one's, and the inner one's is
// before.
void Counters::find_loops(const Thread* threads) {
    std::map<std::uint32_t, std::set<std::uint32_t>> jumps;
    for (const Thread* thread = threads; thread != threads + lanes_of_warp; ++thread)
        for (std::size_t i = 0; i < thread->events.size(); ++i) {
            std::uint32_t from = 0;
            if (goes_back(*thread, i, &from)) jumps[ranks_[thread->events[i].site]].insert(from);
        }
    loops_.clear();
    for (const auto& [begin, from] : jumps) {
        const std::uint32_t last = *from.rbegin();
        const bool has_inner_loop = from.size() > 1 && all_come_equally_often(threads, begin, last);
        loops_[begin] = {last, last, has_inner_loop ? *std::next(from.rbegin()) : last};
    }
    for (auto outer = loops_.rbegin(); outer != loops_.rend(); ++outer)
        for (auto inner = outer.base(); inner != loops_.end() && inner->first <= outer->second.end; ++inner)
            outer->second.end = std::max(outer->second.end, inner->second.end);
}

// Whether the lanes that run through the loop come to its end equally often.
bool Counters::all_come_equally_often(const Thread* threads, std::uint32_t begin, std::uint32_t end) const {
    std::ptrdiff_t times = 0;
    for (const Thread* thread = threads; thread != threads + lanes_of_warp; ++thread) {
        const auto at = [&](std::uint32_t rank) {
            return std::ranges::count_if(thread->events,
                                         [&](const Event& event) { return ranks_[event.site] == rank; });
        };
        const std::ptrdiff_t ends = at(end);
        if (ends == 0 && at(begin) == 0) continue;
        if (ends == 0 || (times != 0 && ends != times)) return false;
        times = ends;
    }
    return true;
}

// Who is less far in the program has the turn. Who begins another round of a loop has come to its end, and waits there
// for those who are still on the way: an if at the end of a round lets no lanes run ahead.
std::uint64_t Counters::turn_of(const Thread& thread, std::size_t event) const {
    const std::uint32_t rank = ranks_[thread.events[event].site];
    std::uint32_t from = 0;
    if (!goes_back(thread, event, &from)) return 2 * std::uint64_t{rank};
    const Loop& loop = loops_.at(rank);
    return 2 * std::uint64_t{from < loop.last ? loop.inner_end : loop.end} + 1;
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
