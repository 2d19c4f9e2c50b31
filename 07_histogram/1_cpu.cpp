// The reference: one thread counts byte after byte in a table of 256 counters. And the same with several threads.

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "histogram.h"

namespace histogram {

void cpu(std::span<const std::uint8_t> data, std::span<Count> counts) {
    std::fill(counts.begin(), counts.end(), 0);
    for (const std::uint8_t value : data) ++counts[value];
}

void cpu_threads(std::span<const std::uint8_t> data, std::span<Count> counts, unsigned threads) {
    // Each thread counts in its own table, so that no two threads write to one counter. Then the tables are added.
    std::vector<std::array<Count, bins>> tables(threads);
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t) {
        const std::size_t begin = data.size() / threads * t;
        const std::size_t end = t + 1 == threads ? data.size() : begin + data.size() / threads;
        running.emplace_back([=, &tables] { cpu(data.subspan(begin, end - begin), tables[t]); });
    }
    running.clear();  // waits for them

    std::fill(counts.begin(), counts.end(), 0);
    for (const auto& table : tables)
        for (unsigned v = 0; v < bins; ++v) counts[v] += table[v];
}

void cpu_threads(std::span<const std::uint8_t> data, std::span<Count> counts) {
    cpu_threads(data, counts, std::max(1u, std::thread::hardware_concurrency()));
}

STAGES(Stage{{"one thread on the host", cpu}},
       Stage{{"threads", "all threads of the host, a table each", cpu_threads}});

}  // namespace histogram
