#pragma once

#include <cstdint>
#include <string>

#include "csr.h"

namespace bfs {

/// The graph of a square matrix: vertices u and v are neighbours if there is an entry in row u and column v or in row v
/// and column u. Nobody is its own neighbour. All values are 1. Throws usage_error if the matrix is not square, or if
/// the graph would have more than 2^31 - 1 entries.
sparse::Csr undirected(const sparse::Csr& matrix);

/// The names of random graphs, for random_graph().
inline constexpr const char* kinds[] = {"uniform", "power", "star", "grid", "pieces"};

/// A graph with this many vertices, at least 1; the same seed gives the same graph.
///   uniform   about `mean` random neighbours each
///   power     few vertices with many neighbours and many with few; one has about a tenth of all
///   star      the last one has an edge to each other, and there are no more, whatever the mean
///   grid      the points of a square, each with up to four neighbours, whatever the mean
///   pieces    four uniform graphs with no edge between them
/// Throws usage_error for another kind, and where there would be more than 2^31 - 1 entries.
sparse::Csr random_graph(const std::string& kind, int vertices, int mean, std::uint64_t seed);

}  // namespace bfs
