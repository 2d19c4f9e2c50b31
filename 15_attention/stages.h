#pragma once

#include "attention.h"
#include "common/stage.h"
#include "softmax.h"

// The stages of this chapter, for its programs and its tests.
namespace softmax {

using Stage = ::Stage<Launch, OnHost>;

inline constexpr Stage stages[] = {
    {"s1_cpu", "one thread on the host, in double", cpu},
    {"s1_cpu/threads", "all threads of the host", cpu_threads},
    {"s2_three_passes", "a thread a row: largest, sum, quotients", three_passes},
    {"s3_two_passes", "the sum is corrected when a larger number comes", two_passes},
    {"s4_warp_per_row", "a warp a row, and lanes combine their parts", warp_per_row},
    {"s5_block_per_row", "a block a row, and warps combine their parts", block_per_row},
};

/// A lower bound on the bytes of any stage: each number is read once, and each weight is written once.
inline double bytes_moved(const Shape& shape) {
    return 2.0 * sizeof(float) * elements(shape);
}

}  // namespace softmax

namespace attention {

using Stage = ::Stage<Launch, OnHost>;

inline constexpr Stage stages[] = {
    {"1_cpu", "one thread on the host, in double", cpu},
    {"1_cpu/threads", "all threads of the host", cpu_threads},
    {"2_naive", "three kernels, with all scores in memory", naive},
    {"3_tiled", "tiles of keys and a running softmax, in floats", tiled},
    {"4_wmma", "tensor cores, with scores in shared memory", tensor_fragments, tensor_cores_for_tf32},
    {"5_mma", "tensor cores, with scores in registers", mma, tensor_cores_for_tf32},
    {"6_wgmma", "warpgroups: weights are computed while products run", wgmma, warpgroup_mma},
#ifdef WITH_LIBRARY
    {"library", "two products by cuBLAS, and a softmax between them", library, tensor_cores_for_tf32},
#endif
};

/// Whether the stage takes the numbers as BF16, and rounds its weights to it.
inline bool takes_halves(const Stage& stage) {
    return stage.launch && stage.launch != naive && stage.launch != tiled;
}

/// The operations of the two products: a multiply-add counts as two. Stages that compute what a causal mask hides do
/// more.
inline double flops(const Shape& shape) {
    const double n = shape.n, pairs = shape.causal ? n * (n + 1) / 2 : n * n;
    return 4.0 * shape.heads * pairs * shape.d;
}

}  // namespace attention
