#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

// Which sectors of global memory a launch reads and writes, each counted once: what has to come from the memory or its
// cache, and what has to go there, however good the caches are.
namespace emulator {

class TouchedSectors {
  public:
    void touch(std::uintptr_t address, std::size_t bytes, bool reads, bool writes);

    /// Those that were read before the launch itself had written them.
    std::uint64_t read() const;
    std::uint64_t written() const;
    void clear();

  private:
    static constexpr std::size_t sectors_of_page = 128;
    struct Page {
        std::bitset<sectors_of_page> read, written;
    };
    Page& page(std::uintptr_t number);

    std::unordered_map<std::uintptr_t, Page> pages_;
    struct Recent {
        std::uintptr_t number = 0;
        Page* page = nullptr;
    };
    std::array<Recent, 64> recent_{};
};

}  // namespace emulator
