#pragma once

#include <cstddef>
#include <span>

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

OnHost cpu, cpu_threads;             // 1_cpu.cpp
Launch hillis_steele;                // 2_hillis_steele.cu
Launch blelloch;                     // 3_blelloch.cu
Launch conflict_free;                // 4_conflict_free.cu
Launch warp_shuffle;                 // 5_warp_shuffle.cu
Launch reduce_first;                 // 6_reduce_first.cu
Launch vectorized;                   // 7_vectorized.cu
Launch look_back, look_back_atomic;  // 8_look_back.cu
Launch wide_look_back;               // 9_wide_look_back.cu
Launch library;                      // library.cu

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
void cpu_threads(std::span<const unsigned> in, std::span<unsigned> out, unsigned threads);  // 1_cpu.cpp

}  // namespace scan
