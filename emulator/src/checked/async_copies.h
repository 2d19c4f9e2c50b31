#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "access.h"
#include "emulator/types.h"

namespace emulator {

struct ThreadCopies;

/// cp.async, __pipeline_memcpy_async() and their like: of up to 16 bytes, from global to shared memory. Or a bulk copy,
/// of any size: to shared memory if it is of a barrier, else from there.
struct AsyncCopy {
    std::uintptr_t to, from;
    std::size_t bytes, given;  // those behind the given ones become 0
    std::uintptr_t code;
    Access begun{};  // when, by its thread
    uint3 thread{}, block{};
    const ThreadCopies* owner = nullptr;
    std::size_t waits_before = 0;  // of its thread
    bool committed = false;
    std::size_t group = 0;       // of its thread, counted from 0
    std::uintptr_t barrier = 0;  // who waits for this one waits for the copy; it has no owner then
    std::uint64_t phase = 0;     // of the barrier
    bool bulk = false;
    bool is_read = false;       // waited for until its source was read
    bool is_reduction = false;  // red.async: made at once, since others may add to the same place
    bool is_store = false;      // st.async: no copy, but of this value
    std::array<unsigned char, 16> value{};

    bool brings_the_same(const AsyncCopy& other) const {
        return to == other.to && is_store == other.is_store && bytes == other.bytes && given == other.given &&
               (given == 0 || from == other.from);
    }
};

/// The copies of a thread.
struct ThreadCopies {
    using Group = std::vector<std::unique_ptr<AsyncCopy>>;
    Group open;
    std::deque<Group> groups;
    std::size_t committed = 0, waits = 0;  // all of them
    std::size_t read_groups = 0;           // whose sources were waited for, of bulk copies
    struct Wait {
        std::uintptr_t code = 0;
        std::size_t all_but = 0, committed = 0;  // groups until then
        bool only_read = false;                  // for what the copies read, not for what they write
    } last_wait;
};

/// Copies in flight: from their beginning to the wait of their thread. Nobody may touch what they copy to, or change
/// what they copy from, until then. A copy to shared memory is made when it is waited for, as late as it may be.
class AsyncCopies {
  public:
    void launch_begins();
    /// Where another block was: its copies are in flight no more.
    void block_begins(std::vector<ThreadCopies>& copies);

    bool any() const { return !targets_.empty() || !sources_.empty(); }
    /// The copy in flight whose target, or source, has one of the bytes; or null.
    const AsyncCopy* to(std::uintptr_t address, std::size_t bytes) const { return targets_.at(address, bytes); }
    const AsyncCopy* from(std::uintptr_t address, std::size_t bytes) const { return sources_.at(address, bytes); }

    /// Whether a reduction of that place by the same block is in flight for the same barrier and phase: it stands for
    /// all.
    bool has_reduction_like(const AsyncCopy& copy) const;

    /// Whether what was last copied to the same place was the same.
    bool repeats(const AsyncCopy& copy) const;

    void begin(ThreadCopies& thread, const AsyncCopy& copy);
    /// One of a barrier.
    std::unique_ptr<AsyncCopy> begin(const AsyncCopy& copy);
    void end(const AsyncCopy& copy);
    static void commit(ThreadCopies& thread);

    /// Calls make(copy) for those of all groups but the last ones.
    template <class F>
    void wait(ThreadCopies& thread, std::size_t all_but, std::uintptr_t code, const F& make) {
        thread.last_wait = {code, all_but, thread.committed, false};
        ++thread.waits;
        for (; thread.groups.size() > all_but; thread.groups.pop_front())
            for (const auto& copy : thread.groups.front()) {
                end(*copy);
                make(*copy);
            }
    }

    /// The same until their sources were read: calls read(copy).
    template <class F>
    void wait_for_reads(ThreadCopies& thread, std::size_t all_but, std::uintptr_t code, const F& read) {
        thread.last_wait = {code, all_but, thread.committed, true};
        ++thread.waits;
        const std::size_t first = thread.committed - thread.groups.size();
        std::size_t& next = thread.read_groups = std::max(thread.read_groups, first);
        for (; next + all_but < thread.committed; ++next)
            for (const auto& copy : thread.groups[next - first]) {
                end_read(*copy);
                read(*copy);
            }
        // Nobody may ever wait for what they write. Those of long ago are left alone.
        constexpr std::size_t kept = 64;
        for (; thread.groups.size() > kept && thread.committed - thread.groups.size() < next; thread.groups.pop_front())
            for (const auto& copy : thread.groups.front()) end(*copy);
    }

    /// Calls f(copy) for those whose sources nobody has waited for.
    template <class F>
    static void for_each_unread(const ThreadCopies& thread, const F& f) {
        const auto tell = [&](const ThreadCopies::Group& group) {
            for (const auto& copy : group)
                if (!copy->is_read) f(*copy);
        };
        std::ranges::for_each(thread.groups, tell);
        tell(thread.open);
    }

  private:
    void end_read(AsyncCopy& copy);

    // By address: a copy lies within 16 bytes that begin at a multiple of 16, or it is a large one.
    class Places {
      public:
        void add(std::uintptr_t address, std::size_t bytes, const AsyncCopy* copy);
        void remove(std::uintptr_t address, std::size_t bytes, const AsyncCopy* copy);
        void clear();
        bool empty() const { return copies_.empty() && large_.empty(); }
        const AsyncCopy* at(std::uintptr_t address, std::size_t bytes) const {
            if (empty()) return nullptr;
            for (std::uintptr_t piece = address / 16; piece <= (address + bytes - 1) / 16; ++piece)
                if (counts_[piece % counts_.size()] != 0)
                    if (const AsyncCopy* copy = in_piece(piece, address, bytes)) return copy;
            return nullptr;
        }

        template <class F>
        bool any_at(std::uintptr_t address, std::size_t bytes, const F& is_it) const {
            if (is_large(bytes)) return std::ranges::any_of(large_, [&](const Place& p) { return is_it(*p.copy); });
            const auto [first, last] = copies_.equal_range(address / 16);
            return std::any_of(first, last, [&](const auto& each) { return is_it(*each.second.copy); });
        }

      private:
        struct Place {
            std::uintptr_t address;
            std::size_t bytes;
            const AsyncCopy* copy;

            bool has(std::uintptr_t other, std::size_t other_bytes) const {
                return address < other + other_bytes && other < address + bytes;
            }
        };
        static bool is_large(std::size_t bytes) { return bytes > 16; }
        const AsyncCopy* in_piece(std::uintptr_t piece, std::uintptr_t address, std::size_t bytes) const;

        std::unordered_multimap<std::uintptr_t, Place> copies_;
        std::vector<Place> large_;
        // How many there are, for most accesses to find out fast that there is none: as many as shared memory has
        // pieces.
        std::vector<unsigned> counts_ = std::vector<unsigned>(1u << 14);
    };

    Places targets_, sources_;
    std::unordered_map<std::uintptr_t, AsyncCopy> latest_;  // to each address
};

}  // namespace emulator
