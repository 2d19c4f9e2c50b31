#pragma once

#include <cstddef>
#include <memory>

#include "emulator/engine.h"
#include "emulator/functions.h"

// A launch that was checked and not run: a kernel in a graph.
namespace emulator {

struct RecordedLaunch {
    const char* kernel = nullptr;
    Kernel function{};
    dim3 grid{}, block{};
    std::size_t shared_bytes = 0;
    LaunchAttributes attributes{};
    int device = 0;
    std::shared_ptr<void> body{};  ///< a copy of the kernel's body, byte for byte: with the parameters
};

/// While it lives, the calling thread's launches are written down there.
class Recording {
  public:
    explicit Recording(RecordedLaunch* launch);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
};

void run_recorded(const RecordedLaunch& launch, cudaStream_t stream);

/// Bytes of their own, aligned for any type.
std::shared_ptr<void> copy_of(const void* bytes, std::size_t n);

}  // namespace emulator
