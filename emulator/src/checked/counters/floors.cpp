#include "floors.h"

#include <algorithm>

namespace emulator {

Floor floor_of_launch(const Gpu& gpu, std::uint64_t read, std::uint64_t written, std::uint64_t blocks) {
    const std::uint64_t bytes = read + written, from_memory = bytes - std::min(bytes, gpu.l2_bytes);
    const Floor floors[] = {
        {1e-9 * gpu.start_of_a_kernel_ns, "its launch"},
        {1e-9 * gpu.start_of_a_block_ns * static_cast<double>(blocks), "its blocks"},
        // Reads and writes may go at the same time.
        {1e-9 * static_cast<double>(std::max(read, written)) / gpu.l2_gb_per_s, "its bytes, from the L2 cache"},
        {1e-9 * static_cast<double>(from_memory) / gpu.memory_gb_per_s, "its bytes"},
    };
    return *std::ranges::max_element(floors, {}, &Floor::seconds);
}

}  // namespace emulator
