// Measures the rates of the device: the bus to the host in both directions, from pageable and from pinned memory, the
// device's own memory, and its arithmetic.
// Every copy is compared and every sum is checked before its rate counts.

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/capability.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/timer.h"
#include "common/verify.h"
#include "query.h"
#include "text.h"

namespace device_query {
namespace {

constexpr std::size_t MiB = 1u << 20;
constexpr int block_size = 256;
constexpr int chains = 8;
constexpr int unrolled = 16;

// Computes x ← a·x + b over and over, in registers only. A multiply-add has a latency of a few cycles. Meanwhile the
// other chains, which do not depend on it, keep the cores busy. The compiler unrolls the two inner loops to 128
// multiply-adds. The outer loop's own instructions take time from them, so there should be few.
template <class T>
__global__ void multiply_add(T a, T b, int steps, T* result) {
    T x[chains];
    for (int c = 0; c < chains; ++c) x[c] = static_cast<T>(threadIdx.x + c);
    for (int step = 0; step < steps; step += unrolled)
        for (int u = 0; u < unrolled; ++u)
            for (int c = 0; c < chains; ++c) x[c] = fma(a, x[c], b);
    T sum = 0;
    for (int c = 0; c < chains; ++c) sum += x[c];
    result[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // Without a result the compiler would remove the whole loop.
}

// Operations per second on numbers of type T; a multiply-add counts as two.
template <class T>
double arithmetic_rate() {
    int device = 0, multiprocessors = 0, threads = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const int blocks = multiprocessors * (threads / block_size);  // as many threads as the chip holds
    DeviceBuffer<T> result(static_cast<std::size_t>(blocks) * block_size);
    result.poison();

    int steps = 64;
    const auto run = [&] {
        multiply_add<T><<<blocks, block_size>>>(0.5, 1, steps, result.data());
        CUDA_CHECK_LAUNCH();
    };
    while (gpu_seconds(run, {.repeats = 1}) < 2e-3 && steps < (1 << 20)) steps *= 2;
    const double seconds = gpu_seconds(run, {.repeats = 7});

    // Repeated x / 2 + 1 ends at exactly 2, whatever x it starts with.
    const std::vector<T> expected(result.size(), T{2} * chains);
    require_same<T>("the arithmetic kernel", result.to_host(), expected);
    return 2.0 * chains * steps * result.size() / seconds;
}

struct CopyRates {
    double to_device = 0, to_host = 0;  // bytes per second
};

// host: host memory whose bytes are not all the same.
CopyRates copy_rates(std::span<unsigned char> host, DeviceBuffer<unsigned char>& device) {
    const std::vector<unsigned char> expected(host.begin(), host.end());
    const Timing timing{.repeats = 7};
    CopyRates rates;
    device.poison();
    rates.to_device = host.size() / gpu_seconds([&] { device.copy_from(host); }, timing);
    std::ranges::fill(host, 0);
    rates.to_host = host.size() / gpu_seconds([&] { device.copy_to(host); }, timing);
    require_same<unsigned char>("a copy to the device and back", host, expected);
    return rates;
}

struct FreePinned {
    void operator()(unsigned char* p) const { cudaFreeHost(p); }
};

// Pinned memory: its pages stay where they are, so the device can copy from and to it by itself.
std::unique_ptr<unsigned char[], FreePinned> pinned_memory(std::size_t bytes) {
    void* p = nullptr;
    CUDA_CHECK(cudaMallocHost(&p, bytes));
    return std::unique_ptr<unsigned char[], FreePinned>(static_cast<unsigned char*>(p));
}

Line rate_line(std::string key, std::string label, double bytes_per_second, std::string more = "") {
    return {key, label, rounded(bytes_per_second / 1e9) + " GB/s" + more, bytes_per_second / 1e9};
}

}  // namespace

Section measure(const Ceilings& peak, Ceilings* reached) {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const std::size_t bytes = std::min((on_emulator() ? 16 : 256) * MiB, free / 4);

    std::vector<unsigned char> pageable(bytes);
    for (std::size_t i = 0; i < bytes; ++i) pageable[i] = static_cast<unsigned char>(i * 2654435761u >> 24);
    const auto pinned = pinned_memory(bytes);
    std::ranges::copy(pageable, pinned.get());

    DeviceBuffer<unsigned char> device(bytes);
    const CopyRates from_pageable = copy_rates(pageable, device);
    const CopyRates from_pinned = copy_rates({pinned.get(), bytes}, device);
    const Ceilings rates{arithmetic_rate<float>(), copy_bandwidth()};
    if (reached != nullptr) *reached = rates;

    Section section{"measured", "Measured (host copies of " + rounded(1.0 * bytes / MiB) + " MiB)", {}};
    section.lines = {
        rate_line("host_to_device_pageable_gb_per_s", "Host to device, pageable", from_pageable.to_device),
        rate_line("device_to_host_pageable_gb_per_s", "Device to host, pageable", from_pageable.to_host),
        rate_line("host_to_device_pinned_gb_per_s", "Host to device, pinned", from_pinned.to_device),
        rate_line("device_to_host_pinned_gb_per_s", "Device to host, pinned", from_pinned.to_host),
    };
    const auto add = [&](Line line, std::string key, double rate, std::optional<double> best) {
        const double percent = best ? 100 * rate / *best : 0;
        if (best) line.text += " = " + rounded(percent) + " % of the peak";
        section.lines.push_back(line);
        if (best) section.lines.push_back({key, "", "", percent});
    };
    add(rate_line("device_to_device_gb_per_s", "Device to device", *rates.bandwidth, " read and written"),
        "device_to_device_share_of_peak_percent", *rates.bandwidth, peak.bandwidth);
    add({"multiply_add_gflop_per_s", "Arithmetic, fp32", rounded(*rates.flops / 1e9) + " GFLOP/s", *rates.flops / 1e9},
        "multiply_add_share_of_peak_percent", *rates.flops, peak.flops);
    const double doubles = arithmetic_rate<double>() / 1e9;
    section.lines.push_back(
        {"multiply_add_of_doubles_gflop_per_s", "Arithmetic, fp64", rounded(doubles) + " GFLOP/s", doubles});
    return section;
}

}  // namespace device_query
