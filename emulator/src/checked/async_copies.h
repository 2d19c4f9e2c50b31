#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emulator {

/// __pipeline_memcpy_async() and its like: a copy is made when its thread waits for it, as late as it may be.
class AsyncCopies {
  public:
    struct Copy {
        std::uintptr_t to, from;
        std::size_t bytes, zeros;  // the last bytes are zeros
        std::uintptr_t code;
    };

    void launch_begins() { threads_.clear(); }
    void begin(std::uint64_t thread, const Copy& copy) { threads_[thread].open.push_back(copy); }

    /// Those since the last call become a group.
    void commit(std::uint64_t thread) {
        Thread& copies = threads_[thread];
        copies.groups.push_back(std::exchange(copies.open, {}));
    }

    /// Calls make(copy) for those of all groups but the last ones.
    template <class F>
    void wait(std::uint64_t thread, std::size_t all_but, const F& make) {
        std::deque<std::vector<Copy>>& groups = threads_[thread].groups;
        for (; groups.size() > all_but; groups.pop_front())
            for (const Copy& copy : groups.front()) make(copy);
    }

  private:
    struct Thread {
        std::vector<Copy> open;
        std::deque<std::vector<Copy>> groups;
    };
    std::unordered_map<std::uint64_t, Thread> threads_;
};

}  // namespace emulator
