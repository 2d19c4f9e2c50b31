#pragma once

#include "common/stage.h"
#include "julia.h"

// The stages of this chapter, for its program and its tests.
namespace julia {

/// A stage, and how it rounds. It draws the same bits as the host with the same arithmetic.
struct Stage : ::Stage<Launch, OnHost> {
    Arithmetic arithmetic;
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host", cpu}, Arithmetic::separate},
    {{"1_cpu/threads", "all of the host's threads, row by row", cpu_threads}, Arithmetic::separate},
    {{"2_block_per_pixel", "a block of one thread for each pixel", block_per_pixel}, Arithmetic::separate},
    {{"3_blocks_and_threads", "16 × 16 threads a block: whole warps work", blocks_and_threads}, Arithmetic::separate},
    {{"4_warp_tiles", "a warp is a tile of 8 × 4 pixels", warp_tiles}, Arithmetic::separate},
    {{"5_fused", "a product and a sum in one instruction", fused}, Arithmetic::fused},
    {{"6_batches", "8 iterations between two tests", batches}, Arithmetic::fused},
    {{"7_symmetry", "half of the picture, written twice", symmetry}, Arithmetic::fused},
    {{"8_long_batches", "8 iterations, then 24 at a time", long_batches}, Arithmetic::fused},
};

/// A lower bound on the bytes of any stage: each pixel is written once.
constexpr double bytes_moved(const View& view) {
    return static_cast<double>(sizeof(Rgba)) * view.width * view.height;
}

/// Additions and multiplications in an iteration: re², im², re · im, their difference and double, + c, and |z|².
inline constexpr double operations = 8;

}  // namespace julia
