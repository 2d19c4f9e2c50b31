#pragma once

#include <cuda_bf16.h>

#include <cstring>

#include "attention.h"

// What a lane does with its elements of a warp's 16 rows, in pieces of 8 columns: of row lane / 4 it has elements 0 and
// 1 of each piece, and of the row 8 below elements 2 and 3, in columns lane % 4 * 2 and the one after. That is what
// mma.sync and wgmma make.
namespace attention {

/// 2^x, by one instruction: that of exp2f(), without the care that it takes of numbers below 2^-126.
__device__ inline float power_of_two(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

__device__ inline unsigned packed(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    unsigned bits;
    memcpy(&bits, &pair, sizeof bits);
    return bits;
}

/// Scores of keys that do not exist, or that a query does not see, become -inf. row, first: the lane's first row, and
/// the first column's key.
template <int pieces>
__device__ void mask(float (&scores)[pieces][4], const Shape& shape, int row, int first) {
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int i = row + e / 2 * 8, j = first + piece * 8 + threadIdx.x % 4 * 2 + e % 2;
            if (j >= shape.n || (shape.causal && j > i)) scores[piece][e] = -INFINITY;
        }
}

/// A running softmax of a lane's two rows.
struct Running {
    float largest[2] = {-INFINITY, -INFINITY};
    float total[2] = {};  // of the weights of this lane's columns
    float correction[2];  // by how much is to be multiplied what was summed before the last weigh()

    /// Turns scores into weights.
    template <int pieces>
    __device__ void weigh(float (&scores)[pieces][4], float scale) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float now = largest[half];
#pragma unroll
            for (auto& piece : scores) now = fmaxf(now, fmaxf(piece[2 * half], piece[2 * half + 1]));
            now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
            now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
            correction[half] = power_of_two((largest[half] - now) * scale);
            largest[half] = now;
            total[half] *= correction[half];
#pragma unroll
            for (auto& piece : scores)
#pragma unroll
                for (int e = 2 * half; e < 2 * half + 2; ++e) {
                    piece[e] = power_of_two(piece[e] * scale - now * scale);
                    total[half] += piece[e];
                }
        }
    }

    template <int pieces>
    __device__ void correct(float (&sums)[pieces][4]) const {
#pragma unroll
        for (auto& piece : sums)
#pragma unroll
            for (int e = 0; e < 4; ++e) piece[e] *= correction[e / 2];
    }

    /// Divides by the sums of all weights, and stores the rows that exist. to: the first row of all.
    template <int pieces>
    __device__ void store(const float (&sums)[pieces][4], float* to, int row, int n) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float weight = total[half];
            weight += __shfl_xor_sync(0xffffffff, weight, 1);
            weight += __shfl_xor_sync(0xffffffff, weight, 2);
            const int i = row + half * 8;
            if (i >= n) continue;
#pragma unroll
            for (int piece = 0; piece < pieces; ++piece)
                *reinterpret_cast<float2*>(to + std::size_t(i) * pieces * 8 + piece * 8 + threadIdx.x % 4 * 2) = {
                    sums[piece][2 * half] / weight, sums[piece][2 * half + 1] / weight};
        }
    }
};

}  // namespace attention
