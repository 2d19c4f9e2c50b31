#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// How fast a launch cannot be on a GPU: the largest of the times that its bytes, its blocks and its start take at
// least. It is a lower bound and no prediction.
namespace emulator {

/// What a GPU does at most. The rate of its memory follows from its bus; the rest is the best that was measured.
struct Gpu {
    std::string_view name;
    double memory_gb_per_s, l2_gb_per_s;
    std::uint64_t l2_bytes;
    double start_of_a_block_ns, start_of_a_kernel_ns;
};

inline constexpr std::array<Gpu, 2> known_gpus = {{
    {"H100", 3352.32, 8739.41, 52428800, 0.6, 1680},
    {"H200", 4814.3, 10252.6, 62914560, 0.6, 1251},
}};

struct Floor {
    double seconds = 0;
    const char* limit = "";  ///< whose time it is: "its bytes"
};

/// Of one launch. read, written: bytes of global memory, each counted once. What the L2 cache can hold need not come
/// from the memory, nor go there.
Floor floor_of_launch(const Gpu& gpu, std::uint64_t read, std::uint64_t written, std::uint64_t blocks);

}  // namespace emulator
