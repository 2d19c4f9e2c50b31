#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

// Sorting: first with neighbours only, then less and less so.
namespace bubble_sort {

/// out becomes what in holds, in the order of keys.h. T: float or int. in, out: n values in device memory, apart from
/// each other; n may be 0. The work is queued, not waited for. Throws cuda_error, and usage_error for an n that the
/// stage cannot serve.
template <class T>
using Launch = void(const T* in, T* out, std::size_t n);

/// One phase of the reference, on the host: orders the pairs (first, first + 1), (first + 2, first + 3) …
template <class T>
void phase(std::span<T> values, std::size_t first);  // 1_cpu.cpp

/// The reference: n phases, which begin with value 0 and value 1 in turn.
template <class T>
void cpu(std::span<T> values);  // 1_cpu.cpp

/// What a programmer without a GPU would call: std::sort().
template <class T>
void cpu_sort(std::span<T> values);  // 1_cpu.cpp

template <class T>
void global_memory(const T* in, T* out, std::size_t n);  // 2_global_memory.cu
template <class T>
void shared_one_block(const T* in, T* out, std::size_t n);  // 3_shared_one_block.cu
template <class T>
void multi_block(const T* in, T* out, std::size_t n);  // 4_multi_block.cu
template <class T>
void registers(const T* in, T* out, std::size_t n);  // 5_registers.cu
template <class T>
void merge_windows(const T* in, T* out, std::size_t n);  // 6_merge_windows.cu
template <class T>
void large_windows(const T* in, T* out, std::size_t n);  // 7_large_windows.cu
template <class T>
void one_launch(const T* in, T* out, std::size_t n);  // 8_one_launch.cu
template <class T>
void merge_tree(const T* in, T* out, std::size_t n);  // 9_merge_tree.cu
template <class T>
void library(const T* in, T* out, std::size_t n);  // library.cu

/// A stage, the most values that it can sort, and the most that the program lets it sort unasked: the time of the slow
/// ones grows with the square of n.
template <class T>
struct Stage {
    std::string_view name;
    std::string_view idea;
    Launch<T>* run;
    std::size_t most = std::numeric_limits<std::size_t>::max();
    std::size_t patience = std::numeric_limits<std::size_t>::max();
};

inline constexpr std::size_t one_block_most = 2 * 1024 + 1;

template <class T>
inline constexpr Stage<T> stages[] = {
    {.name = "2_global_memory",
     .idea = "a launch for each phase, a thread for each pair",
     .run = global_memory<T>,
     .patience = 1 << 18},
    {.name = "3_shared_one_block",
     .idea = "one block, all phases in its shared memory",
     .run = shared_one_block<T>,
     .most = one_block_most},
    {.name = "4_multi_block",
     .idea = "windows in shared memory, moved by half a window in turn",
     .run = multi_block<T>,
     .patience = 1 << 20},
    {.name = "5_registers",
     .idea = "a window for each warp, in registers: shuffles, no barriers",
     .run = registers<T>,
     .patience = 1 << 20},
    {.name = "6_merge_windows",
     .idea = "windows are sorted once, then their halves merged",
     .run = merge_windows<T>,
     .patience = 1 << 24},
    {.name = "7_large_windows",
     .idea = "more shared memory than 48 KiB: fewer, larger windows",
     .run = large_windows<T>,
     .patience = 1 << 26},
    {.name = "8_one_launch",
     .idea = "barriers of the whole grid instead of launches",
     .run = one_launch<T>,
     .patience = 1 << 26},
    {.name = "9_merge_tree", .idea = "runs of double length each time, not neighbours only", .run = merge_tree<T>},
#ifdef WITH_LIBRARY
    {.name = "library", .idea = "cub::DeviceRadixSort", .run = library<T>},
#endif
};

/// Bytes that any sort must move: each value read once and written once.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * static_cast<double>(n);
}

}  // namespace bubble_sort
