#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "emulator/device.h"
#include "emulator/engine.h"
#include "emulator/types.h"

// What a program asks of a kernel and sets for it, occupancy, and launches without <<<>>>.
//
// A kernel is given as itself, not as a void*: its parameters are needed. What compiling for a GPU would tell, and a
// CPU cannot, is assumed: 32 registers a thread, no local memory and no static shared memory. Those are the numbers of
// a small kernel that fills a multiprocessor.

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int reserved[16];
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
};

inline constexpr unsigned int cudaOccupancyDefault = 0x00;
inline constexpr unsigned int cudaOccupancyDisableCachingOverride = 0x01;

namespace emulator {

/// How the engine knows a kernel: by the function that runs its body.
using KernelId = void (*)(const void*);

/// A kernel as a probe found it. Without an id it could not be asked (see find_kernel()).
struct Kernel {
    bool exists = false;
    KernelId id = nullptr;
    int max_threads = 1024;  ///< __launch_bounds__
};

/// While it lives, the calling thread's next kernel is not run: it only says who it is.
class Probe {
  public:
    explicit Probe(Kernel* kernel);
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
};

/// For the engine, at the start of every kernel: true if it is only being asked and must not run.
bool answer_probe(KernelId id, unsigned max_threads);

/// For the engine: bytes of dynamic shared memory that the kernel may be launched with.
std::size_t max_dynamic_shared(KernelId id);

/// A parameter that nobody reads.
template <class T>
union Blank {
    unsigned char bytes[sizeof(T)];
    T value;

    Blank() : bytes{} {}
};

/// Calls the kernel with blank arguments for a probe. Parameters that cannot be made of bytes leave it unasked: then it
/// counts as a kernel without launch bounds, and what is set for it is lost.
template <class... P>
Kernel find_kernel(void (*kernel)(P...)) {
    Kernel found;
    found.exists = kernel != nullptr;
    if constexpr ((std::is_trivially_copyable_v<P> && ...)) {
        if (kernel != nullptr) {
            const Probe probe(&found);
            kernel(Blank<P>().value...);
        }
    }
    return found;
}

cudaError_t function_attributes(cudaFuncAttributes* attributes, const Kernel& kernel);
cudaError_t set_function_attribute(const Kernel& kernel, cudaFuncAttribute attribute, int value);
cudaError_t set_cache_config(const Kernel& kernel, cudaFuncCache config);
cudaError_t active_blocks(int* blocks, const Kernel& kernel, int block_size, std::size_t shared_bytes, unsigned flags);
cudaError_t available_shared(std::size_t* bytes, const Kernel& kernel, int blocks, int block_size);

/// The block size that keeps the most threads busy, the largest of several; `shared_bytes(context, block_size)` is what
/// a block of that size needs.
cudaError_t best_block_size(int* grid_size, int* block_size, const Kernel& kernel,
                            std::size_t (*shared_bytes)(const void* context, int block_size), const void* context,
                            int limit, unsigned flags);

/// Around a launch: the error that it ended with, and the thread's last error as it was if there is none.
class LaunchError {
  public:
    LaunchError();
    cudaError_t get() const;

  private:
    const cudaError_t before_;
};

template <class... P, std::size_t... I>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                   cudaStream_t stream, std::index_sequence<I...>) {
    const LaunchError error;
    const Launch configuration(grid, block, shared_bytes, stream);
    kernel(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
    return error.get();
}

cudaError_t invalid_function();

}  // namespace emulator

template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    if (kernel == nullptr) return emulator::invalid_function();
    return emulator::launch(kernel, grid, block, arguments, shared_bytes, stream, std::index_sequence_for<P...>());
}

template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
    return emulator::function_attributes(attributes, emulator::find_kernel(kernel));
}

/// The dynamic shared memory that a kernel may be launched with: 48 KiB at first, up to 227 KiB.
template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
    return emulator::set_function_attribute(emulator::find_kernel(kernel), attribute, value);
}

template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
    return emulator::set_cache_config(emulator::find_kernel(kernel), config);
}

template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int block_size,
                                                          std::size_t shared_bytes) {
    return emulator::active_blocks(blocks, emulator::find_kernel(kernel), block_size, shared_bytes, 0);
}

template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(P...), int block_size,
                                                                   std::size_t shared_bytes, unsigned int flags) {
    return emulator::active_blocks(blocks, emulator::find_kernel(kernel), block_size, shared_bytes, flags);
}

template <class... P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, void (*kernel)(P...), int blocks,
                                                      int block_size) {
    return emulator::available_shared(bytes, emulator::find_kernel(kernel), blocks, block_size);
}

template <class SharedBytes, class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_size, int* block_size,
                                                                    void (*kernel)(P...), SharedBytes shared_bytes,
                                                                    int limit = 0, unsigned int flags = 0) {
    const auto call = [](const void* f, int size) {
        return static_cast<std::size_t>((*const_cast<SharedBytes*>(static_cast<const SharedBytes*>(f)))(size));
    };
    return emulator::best_block_size(grid_size, block_size, emulator::find_kernel(kernel), call, &shared_bytes, limit,
                                     flags);
}

template <class SharedBytes, class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, void (*kernel)(P...),
                                                           SharedBytes shared_bytes, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared_bytes, limit);
}

template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size, void (*kernel)(P...),
                                                        std::size_t shared_bytes = 0, int limit = 0,
                                                        unsigned int flags = 0) {
    const auto constant = [shared_bytes](int) { return shared_bytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, constant, limit,
                                                                   flags);
}

template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, void (*kernel)(P...),
                                               std::size_t shared_bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, kernel, shared_bytes, limit);
}

// Nothing is recorded here that a profiler could be told to start or stop recording; both only check the device.
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
