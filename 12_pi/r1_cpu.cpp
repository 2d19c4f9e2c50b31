// The reference: one thread on the host, point by point. r1_cpu/threads gives each thread a piece of the points: no
// generator has to be shared or copied, since a point is a function of its number.

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "points.h"

namespace points {

std::int64_t cpu(const Points& points) {
    std::int64_t hits = 0;
    for (std::int64_t i = points.first; i < points.last; ++i) hits += is_hit(points.seed, i);
    return hits;
}

std::int64_t cpu_threads(const Points& points) {
    const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, 1024u);
    std::vector<std::int64_t> hits(threads);
    {
        std::vector<std::jthread> running;  // They join at the end of the block.
        for (unsigned t = 0; t < threads; ++t)
            running.emplace_back([&, t] { hits[t] = cpu(part_of(points, t, threads)); });
    }
    return std::accumulate(hits.begin(), hits.end(), std::int64_t{0});
}

STAGES(Stage{"one thread on the host, point by point", cpu},
       Stage{"threads", "all threads of the host, a piece each", cpu_threads});

}  // namespace points
