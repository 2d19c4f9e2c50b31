#pragma once

#include <array>
#include <cstdint>

namespace emulator {

/// The bytes that one access or warp operation of a lane moved. Only kept of threads that are watched.
struct Moved {
    static constexpr std::size_t most = 16;
    std::array<unsigned char, most> after{};   // read or written; what an atomic operation or a warp operation gave
    std::array<unsigned char, most> before{};  // what the word held before an atomic operation; what the lane brought
    bool after_known = true, before_known = true;  // not of memory that nobody has written
    std::uint32_t source = 0;                      // of a shuffle: the lane that was read from
    std::uint32_t finding = 0;                     // 1 + the number of the one that names this access; 0: none does
};

}  // namespace emulator
