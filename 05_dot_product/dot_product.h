#pragma once

#include <cstddef>
#include <span>

#include "common/device_buffer.h"
#include "common/stage.h"

// Σ a[i]·b[i].
namespace dot_product {

/// The memory that all blocks of a launch share, on the device.
struct Workspace {
    static constexpr unsigned max_blocks = 16384;

    unsigned arrived;              ///< blocks that have added or stored their sums; 0 between launches
    float sum;                     ///< of those blocks; 0 between launches
    float block_sums[max_blocks];  ///< a place for each block; anything between launches
};

/// Makes a workspace for any number of launches, one after the other.
inline DeviceBuffer<Workspace> make_workspace() {
    DeviceBuffer<Workspace> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace)));
    return workspace;
}

/// Computes *result = Σ a[i]·b[i]. The work is queued on the default stream, and only 2_shared_tree waits for it.
/// Throws cuda_error.
/// - a, b: n floats each in device memory, with a float's alignment. n may be 0; then the result is 0.
/// - result: one float in device memory, outside of a and b.
/// - workspace: left by each launch as it was found. Launches that may run at the same time, in two streams, need one
///   each: in a shared one they would count each other's blocks and add each other's sums.
/// - A NaN among the products, or infinities of both signs, give NaN; infinities of one sign give an infinity, and so
///   do sums on the way that are too large for a float.
using Launch = void(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace);

/// The most roundings that a product passes through on its way into the result, its own included.
using Roundings = std::size_t(std::size_t n);

/// Computes and returns the sum on the host.
using OnHost = double(std::span<const float> a, std::span<const float> b);

struct Exact {
    double value;      ///< Σ a·b, rounded once
    double magnitude;  ///< Σ |a·b|
};

/// The reference, computed on the host: it keeps what each addition rounds off.
Exact exact(std::span<const float> a, std::span<const float> b);  // exact.cpp

/// The error bound of a float sum of n products: its largest distance from the exact value if each product passes
/// through at most `roundings` roundings, and Σ |a·b| is less than the largest float. atomic: some of the roundings are
/// those of an atomicAdd() in global memory.
double error_bound(const Exact& exact, std::size_t n, std::size_t roundings, bool atomic);  // exact.cpp

OnHost cpu, cpu_threads;  // 1_cpu.cpp
Launch shared_tree;       // 2_shared_tree.cu
Launch one_launch;        // 3_one_launch.cu
Launch warp_shuffle;      // 4_warp_shuffle.cu
Launch vectorized;        // 5_vectorized.cu
Launch loads_in_flight;   // 6_loads_in_flight.cu
Launch large_blocks;      // 7_large_blocks.cu
Launch deterministic;     // 8_deterministic.cu
Launch library;           // library.cu
Roundings cpu_roundings, shared_tree_roundings, one_launch_roundings, warp_shuffle_roundings, vectorized_roundings,
    loads_in_flight_roundings, large_blocks_roundings, deterministic_roundings;

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
double cpu_threads(std::span<const float> a, std::span<const float> b, unsigned threads);  // 1_cpu.cpp

/// A stage, and what its method guarantees.
struct Stage : ::Stage<Launch, OnHost> {
    Roundings* roundings;
    bool atomic = false;  ///< adds the blocks' sums with atomicAdd()
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host, in double", cpu}, cpu_roundings},
    {{"1_cpu/threads", "all threads of the host, a sum each", cpu_threads}, cpu_roundings},
    {{"2_shared_tree", "a tree in shared memory, the end on the CPU", shared_tree}, shared_tree_roundings},
    {{"3_one_launch", "the last block ends it; a grid that fits the device", one_launch}, one_launch_roundings, true},
    {{"4_warp_shuffle", "lanes hand over registers: 1 barrier, not 9", warp_shuffle}, warp_shuffle_roundings, true},
    {{"5_vectorized", "16 bytes a load, four sums a thread", vectorized}, vectorized_roundings, true},
    {{"6_loads_in_flight", "two loads of each array in flight", loads_in_flight}, loads_in_flight_roundings, true},
    {{"7_large_blocks", "1,024 threads a block: a quarter of the atomics", large_blocks}, large_blocks_roundings, true},
    {{"8_deterministic", "an order that depends on n alone", deterministic}, deterministic_roundings},
#ifdef WITH_LIBRARY
    // cuBLAS promises no bound. It is held to the one of 2_shared_tree.
    {{"library", "cublasSdot", library}, shared_tree_roundings},
#endif
};

/// A lower bound on the bytes of any dot product: two floats read for each product.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * n;
}

}  // namespace dot_product
