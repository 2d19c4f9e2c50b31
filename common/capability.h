#pragma once

#include <compare>
#include <optional>
#include <string>

/// The version of a GPU's design: {8, 6} is compute capability 8.6. Some instructions are on GPUs of one version only,
/// and not on later ones.
struct ComputeCapability {
    int major = 0, minor = 0;
    bool no_other = false;

    auto operator<=>(const ComputeCapability&) const = default;
};

// What chapters use and the oldest GPUs that they run on, of compute capability 6.0, do not have. A kernel that uses
// one of these compiles for older devices too, where it does nothing but trap (#if __CUDA_ARCH__), and the host asks
// why_not_here() before it launches such a kernel.
inline constexpr ComputeCapability atomics_of_16_bits{7, 0};     ///< atomicAdd of __half, atomicCAS of unsigned short
inline constexpr ComputeCapability atomics_of_bfloat16{8, 0};    ///< atomicAdd of one and of two
inline constexpr ComputeCapability products_of_bytes{6, 1};      ///< __dp4a()
inline constexpr ComputeCapability more_than_48_kib{7, 0};       ///< shared memory that a block may ask for
inline constexpr ComputeCapability tensor_cores_for_bits{7, 5};  ///< mma of b1
inline constexpr ComputeCapability tensor_cores_for_tf32{8, 0};  ///< and for bfloat16
inline constexpr ComputeCapability copy_engine{9, 0};            ///< bulk copies to shared memory
inline constexpr ComputeCapability programmatic_launch{9, 0};    ///< to begin before the kernel ahead has ended
inline constexpr ComputeCapability warpgroup_mma{9, 0, true};    ///< wgmma: code for sm_90a

/// "needs compute capability 7.5; this GPU has 7.0", or empty if the current device has what it takes. Throws
/// cuda_error.
std::string why_not_here(ComputeCapability needed);

/// True when the kernels run on the CPU emulator: times then say nothing about a GPU.
bool on_emulator();

/// fp32 cores in one multiprocessor, from a table, since the runtime does not tell. No value for newer chips.
std::optional<int> cores_per_multiprocessor(int major, int minor);

enum class Precision { fp32, fp64, tf32, bf16, eight_bits };

/// Peak: operations per second if every core of the current device, or for the others every tensor core, starts in
/// every cycle as many multiply-adds as it can, which count as two each. No value on the emulator, for newer chips, or
/// if the device does not tell its clock rate. Throws cuda_error.
std::optional<double> peak_flops(Precision precision = Precision::fp32);
