// The reference: one thread on the host, one element after another. Every stage must give exactly these floats.
// 1_cpu/threads does the same with all of the host's threads.

#include <algorithm>
#include <thread>
#include <vector>

#include "sparse.h"

namespace sparse {

void cpu(std::span<const float> a, std::span<const float> b, std::span<float> c) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
}

void cpu_threads(std::span<const float> a, std::span<const float> b, std::span<float> c, unsigned threads) {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t) {
        const std::size_t begin = c.size() / threads * t;
        const std::size_t length = t + 1 == threads ? c.size() - begin : c.size() / threads;
        running.emplace_back(
            [=] { cpu(a.subspan(begin, length), b.subspan(begin, length), c.subspan(begin, length)); });
    }
}  // waits for them

void cpu_threads(std::span<const float> a, std::span<const float> b, std::span<float> c) {
    cpu_threads(a, b, c, std::max(1u, std::thread::hardware_concurrency()));
}

STAGES(Stage{"one thread on the host", cpu},
       Stage{"threads", "all threads of the host, each with a part", cpu_threads});

}  // namespace sparse
