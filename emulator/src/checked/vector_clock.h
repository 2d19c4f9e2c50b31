#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// The two kinds of vector clock of the checked build: of a thread over the lanes of its warp, and of a block over the
// blocks of its grid.
namespace emulator {

/// [i]: the thread knows what lane i of its warp did before this clock of lane i's. Since the block's last barrier.
class VectorClock {
  public:
    static constexpr unsigned lanes = 32;
    static constexpr std::uint16_t last = (1u << 12) - 1;  // there, clocks stop: see Access::clock

    std::uint16_t operator[](unsigned lane) const { return clocks_[lane]; }
    void tick(unsigned lane) {
        if (clocks_[lane] < last) ++clocks_[lane];
    }
    void join(const VectorClock& other) {
        for (unsigned i = 0; i < lanes; ++i) clocks_[i] = std::max(clocks_[i], other.clocks_[i]);
    }

    void join(unsigned lane, std::uint16_t clock) { clocks_[lane] = std::max(clocks_[lane], clock); }

  private:
    std::array<std::uint16_t, lanes> clocks_{};
};

/// [block]: how many of that block's releases are known. Most blocks know of few others.
class SparseVectorClock {
  public:
    std::size_t operator[](std::uint64_t block) const {
        const auto found = std::ranges::lower_bound(clocks_, block, {}, &Entry::block);
        return found == clocks_.end() || found->block != block ? 0 : found->releases;
    }
    void join(std::uint64_t block, std::size_t releases) { join(clocks_.begin(), {block, releases}); }
    void join(const SparseVectorClock& other) {
        auto at = clocks_.begin();
        for (const Entry& entry : other.clocks_) at = join(at, entry);
    }

  private:
    struct Entry {
        std::uint64_t block;
        std::size_t releases;
    };
    // `from`: no earlier one is of that block.
    std::vector<Entry>::iterator join(std::vector<Entry>::iterator from, Entry entry) {
        const auto at = std::find_if(from, clocks_.end(), [&](const Entry& e) { return e.block >= entry.block; });
        if (at == clocks_.end() || at->block != entry.block) return clocks_.insert(at, entry);
        at->releases = std::max(at->releases, entry.releases);
        return at;
    }

    std::vector<Entry> clocks_;  // in the order of their blocks
};

}  // namespace emulator
