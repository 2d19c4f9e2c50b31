#pragma once

// Hopper's Tensor Memory Accelerator (TMA): a thread asks for many bytes, or for a box of an array, and the TMA works
// out the addresses, fills with zeros beyond the edges, and counts the bytes that have arrived in shared memory on a
// barrier. For kernels that are compiled for compute capability 9.0, by CUDA 12 or later.

#include <cuda.h>

#include <cstdint>

#include "check.h"

/// Counts arrivals, of threads and of bytes. A phase ends when all have arrived; its number is 0 and 1 by turns.
struct Barrier {
    std::uint64_t state;
};

__device__ inline unsigned shared_address(const void* variable) {
    return static_cast<unsigned>(__cvta_generic_to_shared(variable));
}

__device__ inline void init(Barrier& barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(arrivals) : "memory");
}

/// The TMA, too, sees the barriers that were initialised before.
__device__ inline void show_barriers_to_engine() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void arrive(Barrier& barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier)) : "memory");
}

__device__ inline void arrive_and_expect(Barrier& barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                 : "memory");
}

__device__ inline void wait_for_end_of(unsigned phase, const Barrier& barrier) {
    asm volatile(
        "{\n.reg .pred over;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
        "@!over bra AGAIN;\n}" ::"r"(shared_address(&barrier)),
        "r"(phase)
        : "memory");
}

/// The TMA brings so many bytes to shared memory, and counts them on the barrier. Both addresses and the count are
/// multiples of 16.
__device__ inline void copy_bytes(void* to, const void* from, unsigned bytes, const Barrier& barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(&barrier))
                 : "memory");
}

/// The TMA stores so many bytes from shared memory; else as copy_bytes(). For one thread; show_to_engine() and a
/// barrier of those that wrote the bytes come before.
__device__ inline void store_bytes(void* to, const void* from, unsigned bytes) {
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
        "cp.async.bulk.commit_group;" ::"l"(to),
        "r"(shared_address(from)), "r"(bytes)
        : "memory");
}

/// The TMA brings the box of a matrix that begins at (row, column) to shared memory, and counts its bytes on the
/// barrier. to: at a multiple of 128 bytes, and of 1,024 if the box is swizzled.
__device__ inline void copy_box(void* to, const CUtensorMap& from, unsigned column, unsigned row,
                                const Barrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(to)),
        "l"(&from), "r"(column), "r"(row), "r"(shared_address(&barrier))
        : "memory");
}

/// The TMA stores the box of a matrix that begins at (row, column), from shared memory; what lies beyond the edges it
/// leaves out. For one thread; show_to_engine() and a barrier of those that wrote the box come before.
__device__ inline void store_box(const CUtensorMap& to, unsigned column, unsigned row, const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n"
        "cp.async.bulk.commit_group;" ::"l"(&to),
        "r"(column), "r"(row), "r"(shared_address(from))
        : "memory");
}

/// The TMA, too, sees what this thread wrote to shared memory before.
__device__ inline void show_to_engine() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Waits until all but the last `pending` stores that this thread asked for have read the shared memory.
template <unsigned pending>
__device__ void wait_until_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

/// Describes an array to the TMA: its sizes in elements, the innermost first; the bytes from one element to the
/// next of all dimensions but the innermost, multiples of 16; the sizes of a box, whose rows of 128 bytes are swizzled
/// if nothing else is said. data: device memory, at a multiple of 16. Throws cuda_error.
template <class T, std::size_t dimensions>
CUtensorMap tensor_map(CUtensorMapDataType type, const T* data, const cuuint64_t (&size)[dimensions],
                       const cuuint64_t (&stride)[dimensions - 1], const cuuint32_t (&box)[dimensions],
                       CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B) {
    static const auto encode = [] {
        void* function = nullptr;
        cudaDriverEntryPointQueryResult result{};
        const char* name = "cuTensorMapEncodeTiled";  // by name, so that nothing has to link with the driver
#if CUDART_VERSION >= 12050
        CUDA_CHECK(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &result));
#else
        CUDA_CHECK(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &result));
#endif
        return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    CUtensorMap map;
    cuuint32_t step[dimensions];
    for (cuuint32_t& of_dimension : step) of_dimension = 1;
    if (!encode ||
        encode(&map, type, dimensions, const_cast<T*>(data), size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
               swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        throw cuda_error(cudaErrorInvalidValue, "cuTensorMapEncodeTiled", __FILE__, __LINE__);
    return map;
}
