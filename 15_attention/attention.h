#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "common/errors.h"
#include "common/stage.h"

// Attention: each of n positions asks a query, compares it with the keys of all positions, and gets a mean of their
// values, weighted by the softmax of the comparisons.
namespace attention {

using Bf16 = __nv_bfloat16;

/// heads independent attentions, each over n positions with d numbers: all at least 1, d is 64 or 128. causal: position
/// i sees the positions 0 to i only.
struct Shape {
    int heads, n, d;
    bool causal = false;
};

inline std::size_t elements(const Shape& shape) {
    return std::size_t(shape.heads) * shape.n * shape.d;
}

/// Head by head, position by position: elements(shape) numbers each, at addresses that are multiples of 16.
template <class T>
struct Vectors {
    const T *queries, *keys, *values;
};

/// The same numbers twice, in device memory: BF16 holds them all exactly.
struct Input {
    Vectors<float> floats;
    Vectors<Bf16> halves;
};

/// out[i] = Σ p[i][j] · values[j], where p[i] is the softmax of queries[i] · keys[j] / sqrt(d) over all j that i sees.
/// out: elements(shape) floats in device memory. scratch: 2 · n · n floats in device memory; what is in it does not
/// matter. The work is queued on the default stream, not waited for. Throws cuda_error, and usage_error for another d.
using Launch = void(const Shape& shape, const Input& in, float* out, float* scratch);

/// The same on the host, in double.
using OnHost = void(const Shape& shape, const Vectors<float>& in, std::span<double> out);

/// Comparisons are divided by sqrt(d), so that their size does not grow with d.
__host__ __device__ inline float scale_of(int d) {
    return d == 64 ? 0.125f : 0.08838834764831845f;
}

/// The largest number of positions: n · n fits into 31 bits.
inline constexpr int max_n = 46'340;

inline void require_supported(const Shape& shape) {
    if (shape.d != 64 && shape.d != 128)
        throw usage_error("a head of " + std::to_string(shape.d) + " numbers: these stages take 64 or 128");
}

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// takes_halves: the stage takes the numbers as BF16, and rounds its weights to it.
struct Stage : ::Stage<Launch, OnHost> {
    bool takes_halves = false;
};
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// Whether wgmma() has code for sm_90a, so that it can run where the GPU has the instruction. Throws cuda_error.
bool wgmma_is_compiled();  // 6_wgmma.cu

/// The operations of the two products: a multiply-add counts as two. Stages that compute what a causal mask hides do
/// more.
inline double flops(const Shape& shape) {
    const double n = shape.n, pairs = shape.causal ? n * (n + 1) / 2 : n * n;
    return 4.0 * shape.heads * pairs * shape.d;
}

}  // namespace attention
