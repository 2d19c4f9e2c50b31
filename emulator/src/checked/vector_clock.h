#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

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
        const auto found = clocks_.find(block);
        return found == clocks_.end() ? 0 : found->second;
    }
    void set(std::uint64_t block, std::size_t releases) { clocks_[block] = releases; }
    void join(const SparseVectorClock& other) {
        for (const auto& [block, releases] : other.clocks_) {
            std::size_t& known = clocks_[block];
            known = std::max(known, releases);
        }
    }

  private:
    std::unordered_map<std::uint64_t, std::size_t> clocks_;
};

}  // namespace emulator
