// The reference: one thread on the host, and a queue. Vertices enter the queue in the order of their distances.

#include <algorithm>
#include <vector>

#include "bfs.h"

namespace bfs {

void cpu(const sparse::Csr& graph, int source, std::span<int> distances) {
    std::ranges::fill(distances, unreached);
    distances[source] = 0;
    std::vector<int> queue{source};
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const int v = queue[next];
        for (int e = graph.row_starts[v], end = graph.row_starts[v + 1]; e < end; ++e) {
            const int u = graph.columns[e];
            if (distances[u] != unreached) continue;
            distances[u] = distances[v] + 1;
            queue.push_back(u);
        }
    }
}

STAGES(Stage{"one thread on the host, with a queue", cpu});

}  // namespace bfs
