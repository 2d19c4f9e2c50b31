#pragma once

#include <cstddef>
#include <span>

#include "common/device_buffer.h"
#include "common/stage.h"
#include "dot_product.h"
#include "trees.h"

// The stages of this chapter, and what each of them guarantees, for its program and its tests.
namespace dot_product {

/// Makes a workspace for any number of launches, one after the other.
inline DeviceBuffer<Workspace> make_workspace() {
    DeviceBuffer<Workspace> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace)));
    return workspace;
}

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

/// The most roundings that a product passes through on its way into the result, its own included.
using Roundings = std::size_t(std::size_t n);

// roundings.cpp
Roundings cpu_roundings, shared_tree_roundings, one_launch_roundings, warp_shuffle_roundings, vectorized_roundings,
    loads_in_flight_roundings, large_blocks_roundings, deterministic_roundings;

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

// The five trees.
namespace trees {

using Stage = ::Stage<Launch, void()>;

inline constexpr Stage stages[] = {
    {"t1_neighbours", "each adds its neighbour: lanes diverge", neighbours},
    {"t2_strided", "the same tree, packed lanes: bank conflicts", strided},
    {"t3_sequential", "the upper half to the lower half", sequential},
    {"t4_shuffles", "registers in a warp: 2 barriers, not 9", shuffles},
    {"t5_add_first", "a warp for each sum: eight values a lane first", add_first},
};

/// A lower bound on the bytes: each value is read and each sum is written once.
constexpr double bytes_moved(std::size_t n) {
    return sizeof(float) * (static_cast<double>(n) + static_cast<double>(sums_of(n)));
}

}  // namespace trees
