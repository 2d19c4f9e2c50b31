#pragma once

#include "emulator/check.h"
#include "emulator/engine.h"

// The functions of nvcc's with which cooperative groups see a thread block cluster.

inline unsigned __clusterDimIsSpecified() {
    return ::emulator::is_cluster_specified();
}
inline dim3 __clusterDim() {
    return ::emulator::cluster_dim();
}
inline unsigned __clusterSizeInBlocks() {
    const uint3 cluster = ::emulator::cluster_dim();
    return cluster.x * cluster.y * cluster.z;
}
inline dim3 __clusterRelativeBlockIdx() {
    return ::emulator::block_index_in_cluster();
}
inline unsigned __clusterRelativeBlockRank() {
    return ::emulator::block_rank_in_cluster();
}
inline dim3 __clusterGridDimInClusters() {
    const uint3 cluster = ::emulator::cluster_dim();
    return {gridDim.x / cluster.x, gridDim.y / cluster.y, gridDim.z / cluster.z};
}
inline dim3 __clusterIdx() {
    const uint3 cluster = ::emulator::cluster_dim();
    return {blockIdx.x / cluster.x, blockIdx.y / cluster.y, blockIdx.z / cluster.z};
}

EMULATOR_INLINE void __cluster_barrier_arrive() {
    ::emulator::arrive_at_cluster(true);
}
EMULATOR_INLINE void __cluster_barrier_arrive_relaxed() {
    ::emulator::arrive_at_cluster(false);
}
EMULATOR_INLINE void __cluster_barrier_wait() {
    ::emulator::wait_for_cluster();
}

inline void* __cluster_map_shared_rank(const void* pointer, unsigned rank) {
    return ::emulator::map_to_cluster(pointer, rank);
}
inline unsigned __cluster_query_shared_rank(const void* pointer) {
    return ::emulator::rank_in_cluster(pointer);
}
