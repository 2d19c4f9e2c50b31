#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>

#include "emulator/functions.h"

// What a launch asks about its kernel. Answered where programs ask about kernels and set something for them:
// runtime_api/functions.cpp.
namespace emulator {

/// At the start of every kernel: true if it is only being asked and must not run.
bool answer_probe(const Kernel& kernel);

/// Bytes of the kernel's static shared variables: those that its own body declares, and once it has run all that a
/// block of it used, those of the functions that it calls included.
std::size_t static_shared(KernelId id, const std::type_info* body);

/// A block of the kernel has used that many bytes.
void note_used_shared(KernelId id, std::size_t bytes);

/// Bytes of dynamic shared memory that the kernel may be launched with.
std::size_t max_dynamic_shared(const Kernel& kernel);

/// Blocks that a cluster may have on any GPU with clusters, and on this one if the program allows for that.
inline constexpr unsigned portable_cluster_blocks = 8, largest_cluster_blocks = 16;
unsigned most_cluster_blocks(const Kernel& kernel);

/// How many blocks of that size and need the device has room for at a time.
std::uint64_t resident_blocks(const Kernel& kernel, unsigned block_size, std::size_t shared_bytes);

}  // namespace emulator
