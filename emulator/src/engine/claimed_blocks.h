#pragma once

#include <algorithm>
#include <cstdint>

#include "emulator/engine.h"
#include "grid.h"
#include "indices.h"

namespace emulator {

/// The blocks of a grid that are a worker's to run: it takes a portion of those that no worker has taken yet, and then
/// the next one.
class ClaimedBlocks {
  public:
    void launch_begins() { next_ = end_ = cluster_ = 0; }

    /// Where in the grid the block is that was claimed last.
    const uint3& index() const { return index_; }

    /// False: no block of the grid is left.
    bool claim(Grid& grid) {
        if (next_ == end_) {
            if (!take_portion(grid)) return false;
            index_ = index_in(next_, grid.grid);
        } else if (++index_.x == grid.grid.x) {
            index_ = index_in(next_, grid.grid);
        }
        ++next_;
        return true;
    }

    /// Whether claim() is a matter of the index: the next block is this worker's, and lies beside the last one.
    bool next_is_beside(const Grid& grid) const { return next_ != end_ && index_.x + 1 != grid.grid.x; }
    unsigned claim_beside() { return ++next_, ++index_.x; }

    /// False: no cluster of the grid is left.
    bool claim_cluster(Grid& grid) {
        if (grid.failed) return false;
        cluster_ = grid.next_block.fetch_add(1);
        return cluster_ < grid.blocks / grid.cluster_blocks();
    }
    /// Those of the grid that have been claimed before the last one.
    std::uint64_t clusters() const { return cluster_; }
    /// Where in the grid the block of that rank is, of the cluster that was claimed last.
    uint3 index_in_cluster(const Grid& grid, unsigned rank) const {
        const dim3 n = grid.cluster;
        const uint3 first = index_in(cluster_, {grid.grid.x / n.x, grid.grid.y / n.y, grid.grid.z / n.z}),
                    in = index_in(rank, n);
        return {first.x * n.x + in.x, first.y * n.y + in.y, first.z * n.z + in.z};
    }

  private:
    // Large portions while there is much left, single blocks towards the end.
    bool take_portion(Grid& grid) {
        if (grid.failed) return false;
        const std::uint64_t taken = grid.next_block;
        if (taken >= grid.blocks) return false;
        const std::uint64_t portion = std::max<std::uint64_t>(1, (grid.blocks - taken) / (8 * worker_count()));
        next_ = end_ = grid.next_block.fetch_add(portion);
        if (next_ >= grid.blocks) return false;
        end_ = std::min(next_ + portion, grid.blocks);
        return true;
    }

    std::uint64_t next_ = 0, end_ = 0, cluster_ = 0;
    uint3 index_{};
};

}  // namespace emulator
