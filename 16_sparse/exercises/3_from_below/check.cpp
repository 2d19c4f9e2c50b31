#include "checker.h"

#include <algorithm>

using namespace exercise;

void next_level(const int* row_starts, const int* columns, int vertices, int level, const int* before, int* after);

namespace {

struct Graph {
    std::vector<int> row_starts{0}, columns;

    int vertices() const { return static_cast<int>(row_starts.size()) - 1; }
};

// Each edge from both ends, and the neighbours of a vertex in any order.
Graph with_edges(int vertices, const std::vector<int>& ends) {
    std::vector<std::vector<int>> neighbours(vertices);
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
        neighbours[ends[i]].push_back(ends[i + 1]);
        if (ends[i] != ends[i + 1]) neighbours[ends[i + 1]].push_back(ends[i]);
    }
    Graph graph;
    for (const std::vector<int>& row : neighbours) {
        graph.columns.insert(graph.columns.end(), row.begin(), row.end());
        graph.row_starts.push_back(static_cast<int>(graph.columns.size()));
    }
    return graph;
}

// About two random edges a vertex: some vertices have none, and some are their own neighbours.
Graph sparse_graph(int vertices) {
    return with_edges(vertices, vertices == 0 ? std::vector<int>{} : random_values<int>(2 * vertices, 0, vertices - 1));
}

// Vertex v with v - 1 and v + 1: the neighbours of a vertex are of three levels.
Graph path(int vertices) {
    std::vector<int> ends;
    for (int v = 1; v < vertices; ++v) ends.insert(ends.end(), {v - 1, v});
    return with_edges(vertices, ends);
}

// The distances from vertex 0, up to this level.
std::vector<int> distances_up_to(int level, const Graph& graph) {
    std::vector<int> distances(graph.vertices(), -1), queue;
    if (!distances.empty()) {
        distances[0] = 0;
        queue.push_back(0);
    }
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (int v = queue[next], e = graph.row_starts[v]; distances[v] < level && e < graph.row_starts[v + 1]; ++e) {
            int& other = distances[graph.columns[e]];
            if (other != -1) continue;
            other = distances[v] + 1;
            queue.push_back(graph.columns[e]);
        }
    return distances;
}

void search_and_compare(const Graph& graph, int level) {
    Input<int> row_starts("row_starts", graph.row_starts), columns("columns", graph.columns);
    Input<int> before("before", distances_up_to(level, graph));
    Output<int> after("after", before.values.size());

    next_level(row_starts.data(), columns.data(), graph.vertices(), level, before.data(), after.data());
    finish();

    after.require_same(distances_up_to(level + 1, graph));
    row_starts.require_unchanged();
    columns.require_unchanged();
    before.require_unchanged();
}

}  // namespace

void check() {
    for_each_size([](int n) {
        const Graph graph = sparse_graph(n);
        for (const int level : {0, 2, 5}) search_and_compare(graph, level);
    });
    for_sizes(
        {2, 33, 300},
        [](int n) {
            for (const int level : {0, 1, n / 2}) search_and_compare(path(n), level);
        },
        "a path");
}

// Seven of eight vertices are at distance 2, behind 64 hubs; the others have 16 neighbours each among them.
void counted() {
    constexpr int vertices = 1 << 14, hubs = 64, at_2 = vertices / 8 * 7;
    std::vector<int> ends;
    for (int hub = 1; hub <= hubs; ++hub) ends.insert(ends.end(), {0, hub});
    for (int v = hubs + 1; v < at_2; ++v) ends.insert(ends.end(), {v, v % hubs + 1});
    const std::vector<int> random = random_values<int>(16 * vertices, hubs + 1, at_2 - 1);
    for (int v = hubs + 1; v < vertices; ++v)
        for (int i = 0; i < (v < at_2 ? 4 : 16); ++i) ends.insert(ends.end(), {v, random[16 * v + i]});
    search_and_compare(with_edges(vertices, ends), 2);
}
