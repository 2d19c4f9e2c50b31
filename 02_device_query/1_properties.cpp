// Asks the runtime about the device. cudaGetDeviceProperties fills a struct with most of the answers. What CUDA 13
// removed from it (the clocks, the copy overlap, the time limit) is asked for one attribute at a time.

#include <string_view>

#include "common/check.h"
#include "harness/program.h"
#include "query.h"
#include "text.h"

namespace device_query {
namespace {

int attribute(cudaDeviceAttr name, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, name, device));
    return value;
}

cudaDeviceProp struct_of(int device) {
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    return p;
}

bool is_emulated(const cudaDeviceProp& p) {
    return std::string_view(p.name).starts_with("CPU emulator");
}

// An attribute is 0 if the device does not know it.
template <class T>
std::optional<T> known(T value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

Value value_of(std::optional<int> number) {
    return number ? Value(static_cast<std::size_t>(*number)) : Value();
}

Line text_line(std::string key, std::string label, std::string text) {
    return {key, label, text, text};
}

Line yes_no(std::string key, std::string label, bool is, std::string more = "") {
    return {key, label, (is ? "yes" : "no") + (is ? more : ""), is};
}

Line bytes(std::string key, std::string label, std::size_t amount, std::string more = "") {
    return {key, label, bytes_text(amount) + more, amount};
}

Line count(std::string key, std::string label, std::size_t number, std::string unit) {
    return {key, label, with_separators(number) + " " + unit, number};
}

Line extent(std::string key, std::string label, const int (&n)[3], std::string unit) {
    return {key, label,
            with_separators(n[0]) + " × " + with_separators(n[1]) + " × " + with_separators(n[2]) + " " + unit,
            std::vector<int>(n, n + 3)};
}

// 13000 → "13.0"
std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace

Hardware hardware(int device) {
    const cudaDeviceProp p = struct_of(device);
    Hardware h;
    h.multiprocessors = p.multiProcessorCount;
    if (!is_emulated(p)) h.cores = cores_per_multiprocessor(p.major, p.minor);
    h.clock = known(1e3 * attribute(cudaDevAttrClockRate, device));
    h.bus_bits = known(p.memoryBusWidth);
    h.bus_clock = known(1e3 * attribute(cudaDevAttrMemoryClockRate, device));
    return h;
}

std::vector<Section> properties(int device) {
    const cudaDeviceProp p = struct_of(device);
    const Hardware h = hardware(device);
    const std::string unknown = is_emulated(p) ? "unknown (emulated device)" : "unknown";
    const auto or_unknown = [&](Line line) { return line.value == Value() ? line.text = unknown, line : line; };
    const auto clock = [&](std::string key, std::string label, std::optional<double> hz) {
        return or_unknown({key, label, rounded(hz.value_or(0) / 1e6) + " MHz", hz ? Value(*hz / 1e3) : Value()});
    };
    int driver = 0, runtime = 0;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));

    const int engines = p.asyncEngineCount;
    const std::string engines_text = ", " + std::to_string(engines) + (engines == 1 ? " copy engine" : " copy engines");
    Section general{"general", "General", {}};
    general.lines = {
        text_line("name", "Device name", p.name),
        text_line("compute_capability", "Compute capability", std::to_string(p.major) + "." + std::to_string(p.minor)),
        clock("clock_rate_khz", "Clock rate", h.clock),
        yes_no("copy_overlap", "Copies overlap kernels", attribute(cudaDevAttrGpuOverlap, device), engines_text),
        yes_no("kernel_execution_timeout", "Kernel execution timeout", attribute(cudaDevAttrKernelExecTimeout, device)),
        yes_no("ecc", "Memory corrects errors (ECC)", p.ECCEnabled),
        yes_no("unified_addressing", "Unified addressing", p.unifiedAddressing),
        yes_no("managed_memory", "Managed memory", p.managedMemory),
        text_line("driver_version", "Driver supports CUDA", version(driver)),
        text_line("runtime_version", "Built with CUDA runtime", version(runtime)),
    };

    Section memory{"memory", "Memory", {}};
    memory.lines = {
        bytes("global_memory_bytes", "Global memory", p.totalGlobalMem),
        bytes("constant_memory_bytes", "Constant memory", p.totalConstMem),
        bytes("l2_cache_bytes", "L2 cache", p.l2CacheSize),
        or_unknown(
            {"bus_width_bits", "Memory bus width", with_separators(p.memoryBusWidth) + " bits", value_of(h.bus_bits)}),
        clock("memory_clock_rate_khz", "Memory clock rate", h.bus_clock),
        bytes("max_pitch_bytes", "Max pitch", p.memPitch),
        bytes("texture_alignment_bytes", "Texture alignment", p.textureAlignment),
    };

    Section multiprocessor{"multiprocessor", "Multiprocessor", {}};
    multiprocessor.lines = {
        count("multiprocessors", "Multiprocessors", p.multiProcessorCount, "multiprocessors"),
        or_unknown({"cores_per_multiprocessor", "CUDA cores per multiprocessor",
                    with_separators(h.cores.value_or(0)) + " fp32 cores, " +
                        with_separators(std::size_t{1} * h.multiprocessors * h.cores.value_or(0)) + " in all",
                    value_of(h.cores)}),
        bytes("shared_memory_per_block_bytes", "Shared memory per block", p.sharedMemPerBlock,
              ", on request " + rounded(p.sharedMemPerBlockOptin / 1024.0) + " KiB"),
        bytes("shared_memory_per_multiprocessor_bytes", "Shared memory per multiprocessor",
              p.sharedMemPerMultiprocessor),
        count("registers_per_block", "Registers per block", p.regsPerBlock, "registers of 32 bits"),
        count("registers_per_multiprocessor", "Registers per multiprocessor", p.regsPerMultiprocessor,
              "registers of 32 bits"),
        count("warp_size", "Warp", p.warpSize, "threads"),
        count("max_threads_per_block", "Max threads per block", p.maxThreadsPerBlock, "threads"),
        count("max_threads_per_multiprocessor", "Max threads per multiprocessor", p.maxThreadsPerMultiProcessor,
              "threads = " + std::to_string(p.maxThreadsPerMultiProcessor / p.warpSize) + " warps"),
        count("max_blocks_per_multiprocessor", "Max blocks per multiprocessor", p.maxBlocksPerMultiProcessor, "blocks"),
        extent("max_block_dimensions", "Max block dimensions", p.maxThreadsDim, "threads"),
        extent("max_grid_dimensions", "Max grid dimensions", p.maxGridSize, "blocks"),
    };
    return {general, memory, multiprocessor};
}

}  // namespace device_query
