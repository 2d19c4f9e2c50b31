#pragma once

#include "common/stage.h"
#include "vector_add.h"

// The stages of this chapter, for its program and its tests.
namespace vector_add {

using Stage = ::Stage<Launch, OnHost>;

inline constexpr Stage stages[] = {
    {"1_cpu", "one thread on the host", cpu},
    {"1_cpu/threads", "all threads of the host, each with a part", cpu_threads},
    {"2_one_thread_blocks", "a block of one thread for each element", one_thread_blocks},
    {"3_blocks_and_threads", "256 threads a block: whole warps work", blocks_and_threads},
    {"3_blocks_and_threads/strided", "the same, but lanes far apart: a sector for each", strided},
    {"4_grid_stride", "a grid that fits the device walks over the data", grid_stride},
    {"5_vectorized", "16 bytes a load and store", vectorized},
#ifdef WITH_LIBRARY
    {"library", "thrust::transform", library},
#endif
};

/// A lower bound on the bytes of any vector addition: two floats read and one written for each element.
constexpr double bytes_moved(std::size_t n) {
    return 3.0 * sizeof(float) * n;
}

}  // namespace vector_add
