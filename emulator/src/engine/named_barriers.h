#pragma once

#include <cstdint>
#include <memory>

#include "fiber.h"

namespace emulator {

/// One of the sixteen barriers of a block, which PTX knows by their numbers (bar.sync 1, 64). Warps arrive there: each
/// of them once all of its lanes that have not ended have come.
struct NamedBarrier {
    static constexpr unsigned of_block = 16, warp_threads = 32;

    struct OfWarp {
        unsigned lanes = 0;   // that have come since the warp last arrived
        unsigned votes = 0;   // of those
        FiberQueue syncing;   // those of them that wait for the others, too,
        FiberQueue arriving;  // and those that go on once their warp is there
    };

    explicit NamedBarrier(unsigned number) : number(number) {}

    const unsigned number;
    unsigned expected = 0;          // threads, of whole warps; 0: nobody has come since it last opened
    bool for_block = false;         // somebody has not said how many: all that there are
    const void* code = nullptr;     // where the first one came
    unsigned arrived = 0;           // threads: 32 for each warp
    unsigned arrived_warps = 0;     // a bit for each
    bool arrived_again = false;     // a warp has, before the barrier opened: it counts twice
    unsigned incomplete_warps = 0;  // some of whose lanes have come
    unsigned votes = 0;             // of the warps that have arrived
    FiberQueue waiting;             // of warps that have arrived
    OfWarp warps[32];
};

/// Tiles of several warps, by their number: one of 1024 threads, two of 512, up to 16 of 64.
struct WarpTile {
    static constexpr unsigned most_threads = 1024, in_all = 31;

    static unsigned number(unsigned tile_threads, unsigned thread) {
        return most_threads / tile_threads - 1 + thread / tile_threads;
    }
};

struct NamedBarriers {
    std::unique_ptr<NamedBarrier> of_number[NamedBarrier::of_block + WarpTile::in_all];  // the last ones are the tiles'
    std::uint64_t handed_on[WarpTile::in_all][WarpTile::most_threads / NamedBarrier::warp_threads];
};

}  // namespace emulator
