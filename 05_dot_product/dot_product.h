#pragma once

#include <cstddef>
#include <span>

#include "common/device_buffer.h"
#include "common/stage.h"

// Σ a[i]·b[i].
namespace dot_product {

/// Where the blocks of a launch meet, in device memory.
struct Workspace {
    static constexpr unsigned max_blocks = 16384;

    unsigned arrived;              ///< blocks that have handed in their sums; 0 between launches
    float sum;                     ///< of what was handed in; 0 between launches
    float block_sums[max_blocks];  ///< a place for each block; anything between launches
};

/// A workspace for any number of launches, one after the other.
inline DeviceBuffer<Workspace> make_workspace() {
    DeviceBuffer<Workspace> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace)));
    return workspace;
}

/// *result = Σ a[i]·b[i]. a, b: n floats each in device memory; result: one float there, apart from a and b. n may be
/// 0, and then the result is 0. The pointers need no alignment beyond a float's. A NaN among the products, or
/// infinities of both signs, make a NaN; infinities of one sign an infinity. Sums on the way that no float can hold are
/// infinities. Each launch leaves the workspace as it found it. Launches that may run at the same time, in two streams,
/// need one workspace each: in a shared one they would count each other's blocks and add each other's sums. The work is
/// queued on the default stream, and only 2_shared_tree waits for it. Throws cuda_error.
using Launch = void(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace);

/// The most roundings that a product passes through on its way into the result, its own included.
using Roundings = std::size_t(std::size_t n);

/// The same on the host.
using OnHost = double(std::span<const float> a, std::span<const float> b);

struct Exact {
    double value;      ///< Σ a·b, rounded once
    double magnitude;  ///< Σ |a·b|
};

/// The reference, on the host: no rounding on the way gets lost.
Exact exact(std::span<const float> a, std::span<const float> b);  // exact.cpp

/// How far from the exact value a float sum of n products may be in which none passes through more than this many
/// roundings, wherever Σ |a·b| is less than the largest float. atomic: some of them are those of an atomicAdd() in
/// global memory.
double error_bound(const Exact& exact, std::size_t n, std::size_t roundings, bool atomic);  // exact.cpp

OnHost cpu;              // 1_cpu.cpp
Launch shared_tree;      // 2_shared_tree.cu
Launch one_launch;       // 3_one_launch.cu
Launch warp_shuffle;     // 4_warp_shuffle.cu
Launch vectorized;       // 5_vectorized.cu
Launch loads_in_flight;  // 6_loads_in_flight.cu
Launch large_blocks;     // 7_large_blocks.cu
Launch deterministic;    // 8_deterministic.cu
Launch library;          // library.cu
Roundings cpu_roundings, shared_tree_roundings, one_launch_roundings, warp_shuffle_roundings, vectorized_roundings,
    loads_in_flight_roundings, large_blocks_roundings, deterministic_roundings;

/// A stage, and what its method guarantees.
struct Stage : ::Stage<Launch, OnHost> {
    Roundings* roundings;
    bool atomic = false;  ///< adds the blocks' sums with atomicAdd()
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host, in double", cpu}, cpu_roundings},
    {{"2_shared_tree", "a tree in shared memory, the end on the CPU", shared_tree}, shared_tree_roundings},
    {{"3_one_launch", "the last block ends it; a grid that fits the device", one_launch}, one_launch_roundings, true},
    {{"4_warp_shuffle", "lanes hand over registers: 1 barrier, not 9", warp_shuffle}, warp_shuffle_roundings, true},
    {{"5_vectorized", "16 bytes a load, four sums a thread", vectorized}, vectorized_roundings, true},
    {{"6_loads_in_flight", "two loads of each array in flight", loads_in_flight}, loads_in_flight_roundings, true},
    {{"7_large_blocks", "1,024 threads a block: a quarter of the atomics", large_blocks}, large_blocks_roundings, true},
    {{"8_deterministic", "an order that depends on n alone", deterministic}, deterministic_roundings},
#ifdef WITH_LIBRARY
    // cuBLAS promises no bound. We ask of it what the notes' version guarantees.
    {{"library", "cublasSdot", library}, shared_tree_roundings},
#endif
};

/// Bytes that any dot product must read: two floats for each product.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * n;
}

}  // namespace dot_product
