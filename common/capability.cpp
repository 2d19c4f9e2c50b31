#include "common/capability.h"

#include <string_view>

#include "common/check.h"
#include "common/device.h"

static cudaDeviceProp properties() {
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    return p;
}

bool on_emulator() {
    return std::string_view(properties().name).starts_with("CPU emulator");
}

std::string why_not_here(ComputeCapability needed) {
    const auto in_words = [](ComputeCapability c) { return std::to_string(c.major) + "." + std::to_string(c.minor); };
    ComputeCapability here;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&here.major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&here.minor, cudaDevAttrComputeCapabilityMinor, device));
    const ComputeCapability version{needed.major, needed.minor};
    if (needed.no_other ? here == version : here >= version) return "";
    return "needs compute capability " + in_words(needed) + (needed.no_other ? " and no other; " : "; ") +
           "this GPU has " + in_words(here);
}

// Operations that one multiprocessor can start in a cycle, from the CUDA C++ Programming Guide's table of arithmetic
// throughput, row "32-bit floating-point add, multiply, multiply-add". A chip that is not listed gets no guess.
std::optional<int> cores_per_multiprocessor(int major, int minor) {
    switch (10 * major + minor) {
        case 60:  // Pascal: P100
        case 70:  // Volta: V100
        case 72:  // Xavier
        case 75:  // Turing: T4, RTX 20
        case 80:  // Ampere: A100
            return 64;
        case 61:   // Pascal: P4, P40, GTX 10
        case 62:   // TX2
        case 86:   // Ampere: A10, RTX 30
        case 87:   // Orin
        case 89:   // Ada: L4, L40, RTX 40
        case 90:   // Hopper: H100, H200
        case 100:  // Blackwell: B200
        case 103:  // Blackwell: B300
        case 110:  // Thor
        case 120:  // Blackwell: RTX 50
        case 121:  // Blackwell: GB10
            return 128;
    }
    return std::nullopt;
}

/// Multiply-adds that the tensor cores of a multiprocessor start in a cycle, for matrices without a pattern of zeros.
/// From NVIDIA's architecture whitepapers: operations a second, over multiprocessors and clock rate. No value for other
/// chips.
static std::optional<int> tensor_products_per_cycle(int major, int minor, Precision precision) {
    const int bits = precision == Precision::tf32 ? 32 : precision == Precision::bf16 ? 16 : 8;
    if (major == 8 && minor == 0) return 1024 * 16 / bits;  // A100
    if (major == 9 && minor == 0) return 2048 * 16 / bits;  // H100, H200
    return std::nullopt;
}

std::optional<double> peak_flops(Precision precision) {
    const cudaDeviceProp p = properties();
    const bool tensor = precision != Precision::fp32 && precision != Precision::fp64;
    const auto per_cycle = on_emulator() ? std::nullopt
                           : tensor      ? tensor_products_per_cycle(p.major, p.minor, precision)
                                         : cores_per_multiprocessor(p.major, p.minor);
    int device = 0, kilohertz = 0, fp32_per_fp64 = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&fp32_per_fp64, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
    if (!per_cycle || kilohertz == 0 || fp32_per_fp64 == 0) return std::nullopt;
    return 2.0 * multiprocessors() * *per_cycle * 1e3 * kilohertz / (precision == Precision::fp64 ? fp32_per_fp64 : 1);
}
