// The reference: one thread on the host, which keeps a running sum. Every stage must give exactly these numbers.
// 1_cpu/threads goes over the data twice: each thread adds up its part, and scans it once it knows what comes before.

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "scan.h"

namespace scan {
namespace {

void scan_part(unsigned sum, std::span<const unsigned> in, std::span<unsigned> out) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = sum += in[i];
}

unsigned sum_of(std::span<const unsigned> in) {
    unsigned sum = 0;
    for (const unsigned value : in) sum += value;
    return sum;
}

/// Calls action(t, begin, length) in thread t, with its part of n values, and waits for all threads.
void in_threads(unsigned threads, std::size_t n,
                const std::function<void(unsigned, std::size_t, std::size_t)>& action) {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t) {
        const std::size_t begin = n / threads * t;
        running.emplace_back(action, t, begin, t + 1 == threads ? n - begin : n / threads);
    }
}

}  // namespace

void cpu(std::span<const unsigned> in, std::span<unsigned> out) {
    scan_part(0, in, out);
}

void cpu_threads(std::span<const unsigned> in, std::span<unsigned> out, unsigned threads) {
    std::vector<unsigned> sums(threads);
    in_threads(threads, in.size(),
               [&](unsigned t, std::size_t begin, std::size_t length) { sums[t] = sum_of(in.subspan(begin, length)); });
    unsigned sum = 0;
    for (unsigned& part : sums) sum += std::exchange(part, sum);  // from a part's sum to that of all parts before it
    in_threads(threads, in.size(), [&](unsigned t, std::size_t begin, std::size_t length) {
        scan_part(sums[t], in.subspan(begin, length), out.subspan(begin, length));
    });
}

void cpu_threads(std::span<const unsigned> in, std::span<unsigned> out) {
    cpu_threads(in, out, std::max(1u, std::thread::hardware_concurrency()));
}

STAGES(Stage{"one thread on the host", cpu}, Stage{"threads", "all threads of the host, in two passes", cpu_threads});

}  // namespace scan
