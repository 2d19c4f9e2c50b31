#pragma once

// For exercises without CUDA, with a team of threads or of MPI's ranks. What the checker itself does is hidden from
// ThreadSanitizer, so that it orders nothing that the answer leaves without order.

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace exercise {

/// Calls action(n, team) for awkward n, from 1 on, one of them random, and several sizes of a team, those larger than n
/// included; and for one team of 70, for which an array of 64 places is too small. Twice each. member: what a team is
/// made of, "thread".
void for_each_team(const std::function<void(std::int64_t n, int team)>& action, const std::string& member,
                   std::initializer_list<int> teams = {1, 2, 3, 4, 7});

/// Which thread of this process did which of n pieces of work, and how often.
class Ledger {
  public:
    /// together: so many threads wait for each other before their first piece, for some seconds at most. That tells
    /// whether they are at work at the same time.
    explicit Ledger(std::int64_t n, int together = 0);

    /// Called by the function that the answer calls for a piece of work, in any thread.
    void note(std::int64_t piece);

    std::int64_t n() const { return static_cast<std::int64_t>(times_.size()); }
    std::vector<int> times() const { return {times_.begin(), times_.end()}; }  ///< of each piece
    std::vector<std::int64_t> of_threads() const;                              ///< pieces of each thread that did some
    bool apart() const { return apart_; }                                      ///< one has waited in vain
    bool outside() const { return outside_; }  ///< whether there was a piece that is none

  private:
    static constexpr std::size_t most_threads = 4096;  // in the life of the process

    std::vector<std::atomic<int>> times_;
    std::vector<std::atomic<std::int64_t>> of_threads_;
    int together_;
    std::atomic<int> arrived_ = 0;
    std::atomic<bool> outside_ = false, apart_ = false;

    void wait_for_the_others();
};

/// Ends the run unless each piece was done exactly once. piece: "term", or "in the group of 3 ranks,
/// term".
void require_each_once(const std::string& piece, const std::vector<int>& times, bool outside);

/// Ends the run unless a team of that size did the work, at the same time, and none of it more than its share,
/// rounded up, and `more` pieces. of_members: the pieces of each that did some.
void require_shared(const std::string& piece, const std::vector<std::int64_t>& of_members, int team,
                    const std::string& members, bool apart, std::int64_t more = 0);

/// Keeps a thread that has read an atomic variable for a moment, so that others come between what it has read and what
/// it writes then. A few times for each Ledger; after that it does nothing.
void hold_up();

/// Whether an attempt is to fail that may. The first few for each Ledger.
bool refuse();

/// OpenMP only: how often the answer has entered a critical section, taken a lock or used an atomic variable by now.
std::int64_t locked();

}  // namespace exercise
