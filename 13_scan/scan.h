#pragma once

#include <cstddef>
#include <span>

#include "common/stage.h"

// Inclusive scan: out[i] = in[0] + in[1] + … + in[i], in arithmetic mod 2^32.
namespace scan {

/// in, out: n values each in device memory, not overlapping; n may be 0, and the pointers need only an unsigned's
/// alignment. scratch: scratch_bytes(n) bytes in device memory, aligned as cudaMalloc() does; anything may be in it,
/// before and after. The work is queued, not waited for. Launches that may run at the same time need a scratch each.
/// Throws cuda_error.
using Launch = void(const unsigned* in, unsigned* out, std::size_t n, void* scratch);

/// Scans on the host. Both spans have the same length.
using OnHost = void(std::span<const unsigned> in, std::span<unsigned> out);

/// Enough for the sums of all tiles of 256 values, the sums of all tiles of 256 such sums, and so on.
constexpr std::size_t scratch_bytes(std::size_t n) {
    return (n / 255 + 8) * sizeof(unsigned);
}

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
void cpu_threads(std::span<const unsigned> in, std::span<unsigned> out, unsigned threads);  // 1_cpu.cpp

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes of any scan: each value is read once, and each sum is written once.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(unsigned) * n;
}

}  // namespace scan
