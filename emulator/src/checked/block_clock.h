#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "vector_clock.h"

namespace emulator {

/// A vector clock over all threads of a block, within one of its phases. [i]: what thread i did before this clock of
/// its own is known. Many threads know the same, so that clocks are shared and not changed.
class BlockClock {
  public:
    explicit BlockClock(std::uint32_t phase) : phase_(phase) {}

    std::uint32_t phase() const { return phase_; }
    std::uint16_t operator[](unsigned thread) const { return clocks_[thread]; }
    void set(unsigned thread, std::uint16_t clock) { clocks_[thread] = clock; }
    void join(const BlockClock& other) {
        for (unsigned i = 0; i < clocks_.size(); ++i) clocks_[i] = std::max(clocks_[i], other.clocks_[i]);
    }
    void join(const VectorClock& other, unsigned warp) {
        for (unsigned lane = 0; lane < VectorClock::lanes; ++lane) {
            std::uint16_t& clock = clocks_[VectorClock::lanes * warp + lane];
            clock = std::max(clock, other[lane]);
        }
    }
    bool covers(const BlockClock& other) const {
        bool all = true;
        for (unsigned i = 0; i < clocks_.size(); ++i) all &= clocks_[i] >= other.clocks_[i];
        return all;
    }

  private:
    std::uint32_t phase_;
    std::array<std::uint16_t, 1024> clocks_{};
};

using SharedClock = std::shared_ptr<const BlockClock>;

/// Of that phase; null: nothing is known.
inline SharedClock of_phase(const SharedClock& clock, std::uint32_t phase) {
    return clock != nullptr && clock->phase() == phase ? clock : nullptr;
}

/// What one of the two knows. Both are of one phase, or null.
inline SharedClock joined(const SharedClock& a, const SharedClock& b) {
    if (a == nullptr || a == b) return b;
    if (b == nullptr || a->covers(*b)) return a;
    if (b->covers(*a)) return b;
    auto both = std::make_shared<BlockClock>(*a);
    both->join(*b);
    return both;
}

}  // namespace emulator
