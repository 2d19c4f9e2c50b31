#include "team.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "checker.h"

namespace exercise {

namespace {

constexpr int holdups = 16, refusals = 3;
constexpr int long_time = 3000;  // waits of a millisecond; where all processors are busy, each takes longer
std::atomic<int> holdups_left, refusals_left;

}  // namespace

Ledger::Ledger(std::int64_t n, int together)
    : times_(static_cast<std::size_t>(n)), of_threads_(most_threads), together_(together) {
    holdups_left = holdups;
    refusals_left = refusals;
}

void hold_up() {
    if (holdups_left > 0 && holdups_left-- > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool refuse() {
    return refusals_left > 0 && refusals_left-- > 0;
}

void Ledger::note(std::int64_t piece) {
    static std::atomic<std::size_t> threads;
    thread_local const std::size_t me = threads++;
    if (piece < 0 || piece >= n())
        outside_ = true;
    else
        ++times_[static_cast<std::size_t>(piece)];
    if (of_threads_[std::min(me, most_threads - 1)]++ == 0) wait_for_the_others();
}

void Ledger::wait_for_the_others() {
    ++arrived_;
    for (int waited = 0; arrived_ < together_ && !apart_; ++waited) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (waited == long_time) apart_ = true;
    }
}

std::vector<std::int64_t> Ledger::of_threads() const {
    std::vector<std::int64_t> pieces;
    std::copy_if(of_threads_.begin(), of_threads_.end(), std::back_inserter(pieces),
                 [](std::int64_t pieces_of_it) { return pieces_of_it > 0; });
    return pieces;
}

void require_each_once(const std::string& piece, const std::vector<int>& times, bool outside) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::string which = piece + " " + std::to_string(i) + " of " + std::to_string(times.size());
        require(times[i] != 0, which + " was never computed");
        require(times[i] == 1, which + " was computed " + std::to_string(times[i]) + " times: once is enough");
    }
    const std::string last = std::to_string(static_cast<std::int64_t>(times.size()) - 1);
    require(!outside, piece + "s are 0 to " + last + ", and another one was computed");
}

void require_shared(const std::string& piece, const std::vector<std::int64_t>& of_members, int team,
                    const std::string& members, bool apart, std::int64_t more) {
    std::int64_t all = 0, most = 0;
    for (const std::int64_t pieces : of_members) all += pieces, most = std::max(most, pieces);
    const std::int64_t allowed = (all + team - 1) / team + more;
    require(most <= allowed, "the busiest of " + std::to_string(team) + " " + members + " computed " +
                                 std::to_string(most) + " of " + std::to_string(all) + " " + piece + "s: at most " +
                                 std::to_string(allowed) + " are asked for");
    const std::string all_of_them = std::to_string(team) + " " + members;
    require(static_cast<int>(of_members.size()) == team, std::to_string(of_members.size()) + " " + members +
                                                             " computed something: exactly " + std::to_string(team) +
                                                             " are asked for");
    require(!apart,
            "the " + all_of_them + " were not at work at the same time: one waited for another's end, or for its lock");
}

}  // namespace exercise
