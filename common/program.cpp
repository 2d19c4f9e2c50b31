#include "common/program.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>
#include <string_view>

#include "common/capability.h"
#include "common/check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/output.h"
#include "common/text.h"

namespace {

enum ExitCode { success = 0, wrong = 1, usage = 2, cuda_failed = 3 };

int fail(ExitCode code, const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", visible(message).c_str());
    return code;
}

// Shortens a message, since arguments in it can be of any length: long words are cut, and if there are many words the
// middle is left out.
std::string of_moderate_length(const std::string& message) {
    constexpr std::size_t longest_word = 120, shown = 60, longest = 700, beginning = 400, end = 200;
    std::string result;
    for (std::size_t at = 0, next; at < message.size(); at = next) {
        next = std::min(message.find(' ', at), message.size() - 1) + 1;
        const std::string word = message.substr(at, next - at);
        result += width_of(word) > longest_word ? shortened(word, shown) + (word.ends_with(' ') ? " " : "") : word;
    }
    if (width_of(result) <= longest) return result;
    return shortened(result, beginning) + result.substr(std::min(result.find(' ', result.size() - end), result.size()));
}

cudaDeviceProp properties() {
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    return p;
}

}  // namespace

int run_program(const std::function<void()>& body, const std::string& who) {
    try {
        flush_output();
        body();
        flush_output();
        return success;
    } catch (const wrong_result& error) {
        return fail(wrong, who + error.what());
    } catch (const output_error& error) {
        return fail(wrong, who + error.what());
    } catch (const usage_error& error) {
        return fail(usage, who + of_moderate_length(error.what()));
    } catch (const cuda_error& error) {
        return fail(cuda_failed, who + error.what());
    } catch (const std::bad_alloc&) {
        return fail(usage, who + "the host has too little memory for this size: choose a smaller one");
    } catch (const std::exception& error) {
        return fail(wrong, who + "a mistake in the program: " + error.what());
    }
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
    const int tf32_in_bf16 = precision == Precision::tf32 ? 2 : 1;
    if (major == 8 && minor == 0) return 1024 / tf32_in_bf16;  // A100
    if (major == 9 && minor == 0) return 2048 / tf32_in_bf16;  // H100, H200
    return std::nullopt;
}

std::optional<double> peak_flops(Precision precision) {
    const cudaDeviceProp p = properties();
    const bool tensor = precision == Precision::tf32 || precision == Precision::bf16;
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

std::string device_line() {
    const cudaDeviceProp p = properties();
    std::ostringstream text;
    text << "Device: " << p.name;
    if (on_emulator())
        text << " — no GPU: its times say nothing about a GPU";
    else
        text << " (compute capability " << p.major << "." << p.minor << ", " << p.multiProcessorCount
             << " multiprocessors, " << gigabytes(p.totalGlobalMem) << ")";
    return wrapped(text.str(), 8);
}
