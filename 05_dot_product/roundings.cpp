// How often each stage rounds: what its error bound is computed from. A product is rounded itself, then at each
// addition of its thread, of its block and of the grid. The block sizes and grids are those of the stages' files: if
// you change one there, change it here, too.

#include <algorithm>

#include "common/device.h"
#include "stages.h"

namespace dot_product {
namespace {

constexpr std::size_t tree = 8;           // log2 of 256 threads
constexpr std::size_t shuffles = 5 + 5;   // log2 of 32 lanes, then of 32 warps
constexpr std::size_t four_sums = 2 + 1;  // of a thread: they become one, and a rest is added to the first

/// The blocks of a grid in which each thread takes `each` products in a round: at least 1, and at most `most`.
std::size_t blocks_for(std::size_t n, std::size_t block_size, std::size_t each, std::size_t most) {
    const std::size_t per_block = block_size * each;
    return std::clamp<std::size_t>((n + per_block - 1) / per_block, 1, most);
}

/// A product's own rounding, and the additions to its sum in a thread, which has `sums` of them.
std::size_t in_thread(std::size_t n, std::size_t threads, std::size_t sums) {
    return 1 + n / (threads * sums) + 1;
}

/// Those of a stage whose threads have one sum each, and whose blocks add theirs one after another.
std::size_t with_one_sum(std::size_t n, std::size_t most_blocks, std::size_t in_block) {
    constexpr std::size_t block_size = 256;
    const std::size_t blocks = blocks_for(n, block_size, 1, most_blocks);
    return in_thread(n, blocks * block_size, 1) + in_block + blocks;
}

/// The same for threads with four sums each. quads: of four products, that a thread loads in a round.
std::size_t with_four_sums(std::size_t n, std::size_t block_size, std::size_t quads, std::size_t most_blocks) {
    const std::size_t blocks = blocks_for(n, block_size, 4 * quads, most_blocks);
    return in_thread(n, blocks * block_size, 4) + four_sums + shuffles + blocks;
}

}  // namespace

std::size_t cpu_roundings(std::size_t n) {
    return 1 + (n >> 29);  // 2^29 roundings in double weigh as much as one in float.
}

std::size_t shared_tree_roundings(std::size_t n) {
    return with_one_sum(n, 32, tree);
}

std::size_t one_launch_roundings(std::size_t n) {
    return with_one_sum(n, 8 * multiprocessors(), tree);
}

std::size_t warp_shuffle_roundings(std::size_t n) {
    return with_one_sum(n, 8 * multiprocessors(), shuffles);
}

std::size_t vectorized_roundings(std::size_t n) {
    return with_four_sums(n, 256, 1, 8 * multiprocessors());
}

std::size_t loads_in_flight_roundings(std::size_t n) {
    return with_four_sums(n, 256, 2, 8 * multiprocessors());
}

std::size_t large_blocks_roundings(std::size_t n) {
    return with_four_sums(n, 1024, 2, 2 * multiprocessors());
}

std::size_t deterministic_roundings(std::size_t n) {
    constexpr std::size_t block_size = 1024;
    const std::size_t blocks = blocks_for(n, block_size, 4 * 2, Workspace::max_blocks);
    const std::size_t of_blocks = blocks / block_size + 1 + shuffles;  // the last block adds them all
    return in_thread(n, blocks * block_size, 4) + four_sums + shuffles + of_blocks;
}

}  // namespace dot_product
