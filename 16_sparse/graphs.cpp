#include "graphs.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "common/errors.h"
#include "matrices.h"

namespace bfs {
namespace {

using sparse::Csr;

/// Row by row, the vertices of the other ends.
Csr from_neighbours(int vertices, const std::vector<std::pair<int, int>>& edges) {
    Csr graph;
    graph.rows = graph.width = vertices;
    std::vector<std::int64_t> ends(vertices + std::size_t{1});
    for (const auto& [u, v] : edges) {
        ++ends[u + 1];
        ++ends[v + 1];
    }
    for (int v = 0; v < vertices; ++v) ends[v + 1] += ends[v];
    if (ends[vertices] > std::numeric_limits<int>::max())
        throw usage_error("the graph has " + std::to_string(ends[vertices] / 2) +
                          " edges, and at most 2^30 - 1 are possible: choose fewer vertices or a smaller mean");

    graph.columns.resize(ends[vertices]);
    std::vector<std::int64_t> places(ends.begin(), ends.end() - 1);
    for (const auto& [u, v] : edges) {
        graph.columns[places[u]++] = v;
        graph.columns[places[v]++] = u;
    }
    // Each row in order, and each neighbour once
    auto to = graph.columns.begin();
    for (int v = 0; v < vertices; ++v) {
        const auto begin = graph.columns.begin() + ends[v], end = graph.columns.begin() + ends[v + 1];
        std::sort(begin, end);
        to = std::copy(begin, std::unique(begin, end), to);
        graph.row_starts.push_back(static_cast<int>(to - graph.columns.begin()));
    }
    graph.columns.erase(to, graph.columns.end());
    graph.values.assign(graph.columns.size(), 1);
    return graph;
}

Csr star(int vertices) {
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v < vertices - 1; ++v) edges.emplace_back(v, vertices - 1);
    return from_neighbours(vertices, edges);
}

/// A square of rows, of which the last one may be shorter.
Csr grid(int vertices) {
    int side = 1;
    while (std::int64_t{side} * side < vertices) ++side;
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v < vertices; ++v) {
        if ((v + 1) % side != 0 && v + 1 < vertices) edges.emplace_back(v, v + 1);
        if (vertices - v > side) edges.emplace_back(v, v + side);
    }
    return from_neighbours(vertices, edges);
}

Csr pieces(int vertices, int mean, std::uint64_t seed) {
    Csr all;
    constexpr int count = 4;
    for (int piece = 0; piece < count; ++piece) {
        const int begin = static_cast<int>(std::int64_t{vertices} * piece / count);
        const int end = static_cast<int>(std::int64_t{vertices} * (piece + 1) / count);
        if (begin == end) continue;
        const Csr graph = random_graph("uniform", end - begin, mean, seed + piece);
        const int edges = all.entries();
        for (int v = 1; v <= graph.rows; ++v) all.row_starts.push_back(edges + graph.row_starts[v]);
        for (const int column : graph.columns) all.columns.push_back(begin + column);
    }
    all.rows = all.width = vertices;
    all.values.assign(all.columns.size(), 1);
    return all;
}

}  // namespace

Csr undirected(const Csr& matrix) {
    if (matrix.rows != matrix.width)
        throw usage_error("the matrix has " + std::to_string(matrix.rows) + " rows and " +
                          std::to_string(matrix.width) + " columns: a graph needs a square one");
    std::vector<std::pair<int, int>> edges;
    for (int row = 0; row < matrix.rows; ++row)
        for (int e = matrix.row_starts[row]; e < matrix.row_starts[row + 1]; ++e)
            if (matrix.columns[e] != row) edges.emplace_back(row, matrix.columns[e]);
    return from_neighbours(matrix.rows, edges);
}

Csr random_graph(const std::string& kind, int vertices, int mean, std::uint64_t seed) {
    if (kind == "star") return star(vertices);
    if (kind == "grid") return grid(vertices);
    if (kind == "pieces") return pieces(vertices, mean, seed);
    if (kind == "uniform" || kind == "power")
        return undirected(sparse::random_matrix(kind, vertices, std::max(1, mean / 2), seed));
    throw usage_error("there are no " + kind + " graphs: choose uniform, power, star, grid or pieces");
}

}  // namespace bfs
