#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

// What a request of a warp costs in sectors of global memory, wavefronts of shared memory, addresses of constant
// memory.
namespace emulator {

enum class Operation : std::uint8_t { load, store, atomic, fence, warp_operation, barrier };
enum class Memory : std::uint8_t { none, global, shared, constant };
inline constexpr std::size_t operations = 6, memories = 4;

/// "load", "warp operation"; "global", and "" of none.
const char* name(Operation operation);
const char* name(Memory memory);

/// Of the requests that come from one place, or from several.
struct Counts {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;       // that took part
    std::uint64_t bytes = 0;       // that they asked for
    std::uint64_t served = 0;      // global: sectors; shared: wavefronts; constant: addresses
    std::uint64_t least = 0;       // shared: wavefronts if there were no bank conflicts
    std::uint64_t worst = 0;       // of `served`: in one request; of shared memory: in a wavefront without conflicts
    std::uint64_t same = 0;        // atomics: the most lanes at one address, added up over the requests
    std::uint64_t worst_same = 0;  // the same, in one request

    void add(const Counts& other);
};

inline constexpr std::size_t lanes_of_warp = 32, bytes_of_sector = 32;

/// The lanes of a warp that take part in a request, each at an address.
using LaneAddresses = std::array<std::optional<std::uintptr_t>, lanes_of_warp>;

/// Of one request, in which each lane asks for as many bytes.
Counts count_request(Operation operation, Memory memory, std::size_t bytes, const LaneAddresses& lanes);

}  // namespace emulator
