// Measures latencies: how long one load takes when nothing hides it. A single thread follows a chain through memory.
// Each word that it loads is the place of the next one, so a load cannot begin before the one before it has ended.

#include <numeric>
#include <random>
#include <utility>

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/errors.h"
#include "common/timer.h"
#include "query.h"
#include "text.h"

namespace device_query {
namespace {

constexpr unsigned small_chain = 1024;  // words: 4 KiB, which the L1 cache and shared memory hold
constexpr unsigned line = 32;           // words: 128 bytes, as much as a cache fetches at most

struct ThroughL1 {
    static __device__ unsigned next(const unsigned* words, unsigned i) { return words[i]; }
};

struct PastL1 {
    static __device__ unsigned next(const unsigned* words, unsigned i) { return __ldcg(&words[i]); }
};

template <class Load>
__device__ unsigned follow(const unsigned* words, unsigned hops) {
    unsigned i = 0;
    for (unsigned hop = 0; hop < hops; ++hop) i = Load::next(words, i);
    return i;
}

template <class Load>
__global__ void in_global_memory(const unsigned* words, unsigned hops, unsigned* end) {
    *end = follow<Load>(words, hops);
}

__global__ void in_shared_memory(const unsigned* words, unsigned hops, unsigned* end) {
    __shared__ unsigned copy[small_chain];
    for (unsigned i = 0; i < small_chain; ++i) copy[i] = words[i];
    *end = follow<ThroughL1>(copy, hops);
}

/// A chain through `places` words that are `stride` words apart. It comes through all of them in a random order, so
/// that no cache can guess the next one, and then back to word 0.
std::vector<unsigned> random_chain(unsigned places, unsigned stride) {
    std::vector<unsigned> order(places);
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937 random(1);
    for (unsigned i = places - 1; i > 1; --i) std::swap(order[i], order[1 + random() % i]);
    std::vector<unsigned> next(std::size_t{places} * stride);
    for (unsigned i = 0; i < places; ++i) next[order[i] * stride] = order[(i + 1) % places] * stride;
    return next;
}

using Kernel = void(const unsigned* words, unsigned hops, unsigned* end);

/// Nanoseconds for a hop.
double latency(Kernel* kernel, unsigned places, unsigned stride, unsigned hops, bool cold_l2) {
    const std::vector<unsigned> next = random_chain(places, stride);
    const auto words = DeviceBuffer<unsigned>::from_host(next);
    DeviceBuffer<unsigned> end(1);
    end.poison();
    const auto run = [&] {
        kernel<<<1, 1>>>(words.data(), hops, end.data());
        CUDA_CHECK_LAUNCH();
    };
    const double seconds = gpu_seconds(run, {.repeats = 7, .cold_l2 = cold_l2});

    unsigned expected = 0;
    for (unsigned hop = 0; hop < hops; ++hop) expected = next[expected];
    if (const unsigned got = end.to_host()[0]; got != expected)
        throw wrong_result("a chain of loads ended at word " + std::to_string(got) + ", not at " +
                           std::to_string(expected));
    return seconds * 1e9 / hops;
}

Line latency_line(const std::string& key, const std::string& label, double nanoseconds) {
    return {key, label, rounded(nanoseconds) + " ns", nanoseconds};
}

}  // namespace

std::vector<Line> latencies() {
    // The L2 cache is filled with something else, and a chain of 32 MiB comes to no line twice.
    const double memory = latency(in_global_memory<PastL1>, 1 << 18, line, 1 << 14, true);
    const double l2 = latency(in_global_memory<PastL1>, 1 << 12, line, 1 << 15, false);
    const double l1 = latency(in_global_memory<ThroughL1>, small_chain, 1, 1 << 16, false);
    const double shared = latency(in_shared_memory, small_chain, 1, 1 << 16, false);
    return {latency_line("latency_of_global_memory_ns", "Latency of global memory", memory),
            latency_line("latency_of_the_l2_cache_ns", "Latency of the L2 cache", l2),
            latency_line("latency_of_the_l1_cache_ns", "Latency of the L1 cache", l1),
            latency_line("latency_of_shared_memory_ns", "Latency of shared memory", shared)};
}

}  // namespace device_query
