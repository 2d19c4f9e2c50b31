#include <algorithm>
#include <fstream>

#include "16_sparse/bfs.h"
#include "16_sparse/graphs.h"

#include "testing.h"

namespace {

using sparse::Csr;
using Edges = std::vector<std::pair<int, int>>;

/// A graph as it is given: with its loops, with edges that come twice, and in rows of no order.
Csr graph_of(int vertices, const Edges& edges) {
    std::vector<std::vector<int>> neighbours(vertices);
    for (const auto& [u, v] : edges) {
        neighbours[u].push_back(v);
        if (u != v) neighbours[v].push_back(u);
    }
    Csr graph;
    graph.rows = graph.width = vertices;
    for (const std::vector<int>& row : neighbours) {
        graph.columns.insert(graph.columns.end(), row.begin(), row.end());
        graph.row_starts.push_back(static_cast<int>(graph.columns.size()));
    }
    return graph;
}

Csr path(int vertices) {
    Edges edges;
    for (int v = 1; v < vertices; ++v) edges.emplace_back(v - 1, v);
    return graph_of(vertices, edges);
}

Csr star(int vertices) {
    Edges edges;
    for (int v = 1; v < vertices; ++v) edges.emplace_back(v, 0);
    return graph_of(vertices, edges);
}

Csr complete(int vertices) {
    Edges edges;
    for (int u = 0; u < vertices; ++u)
        for (int v = 0; v < u; ++v) edges.emplace_back(u, v);
    return graph_of(vertices, edges);
}

/// Loops, and edges that come twice and thrice.
Csr tangled(int vertices, int edges) {
    const auto bits = random_values<unsigned>(2 * edges);
    Edges pairs;
    for (int i = 0; i < edges; ++i) {
        pairs.emplace_back(bits[2 * i] % vertices, bits[2 * i + 1] % vertices);
        if (i % 3 == 0) pairs.push_back(pairs.back());
        if (i % 7 == 0) pairs.emplace_back(i % vertices, i % vertices);
    }
    return graph_of(vertices, pairs);
}

struct Case {
    const char* name;
    Csr graph;
    int source;
};

/// Around a warp and a block; many levels and few; rows much longer than others; vertices that nobody reaches.
std::vector<Case> awkward() {
    std::vector<Case> cases{{"one vertex", graph_of(1, {}), 0},
                            {"one vertex with a loop", graph_of(1, {{0, 0}, {0, 0}}), 0},
                            {"two vertices", path(2), 1},
                            {"no edges", graph_of(300, {}), 7},
                            {"a path from its end", path(1000), 999},
                            {"a path from its middle", path(257), 100},
                            {"a star from its centre", star(3000), 0},
                            {"a star from a ray", star(1025), 1024},
                            {"31, each with each", complete(31), 0},
                            {"33, each with each", complete(33), 32},
                            {"two pieces", graph_of(7, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {5, 6}, {4, 5}}), 6},
                            {"an end that nobody reaches", graph_of(64, {{0, 1}}), 63},
                            {"loops and double edges", tangled(500, 700), 499},
                            {"a dense tangle", tangled(97, 5000), 3}};
    for (const int n : {32, 255, 256, 257, 1021, 4099})
        for (const char* kind : bfs::kinds)
            cases.push_back({kind, bfs::random_graph(kind, n, 6, test_seed() + n), n * 2 / 3});
    return cases;
}

/// The distances by another method than a queue: each edge is relaxed until nothing changes.
std::vector<int> relaxed(const Csr& graph, int source) {
    std::vector<int> distances(graph.rows, bfs::unreached);
    distances[source] = 0;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int v = 0; v < graph.rows; ++v)
            for (int e = graph.row_starts[v]; distances[v] >= 0 && e < graph.row_starts[v + 1]; ++e) {
                int& other = distances[graph.columns[e]];
                if (other >= 0 && other <= distances[v] + 1) continue;
                other = distances[v] + 1;
                has_changed = true;
            }
    }
    return distances;
}

/// What is wrong with the distances, without knowing them; "" for right ones. An edge spans at most one level, and
/// every vertex that is reached, but the source, has a neighbour that is one level up.
std::string flaw(const Csr& graph, int source, const std::vector<int>& distances) {
    for (int v = 0; v < graph.rows; ++v) {
        const std::string who = "vertex " + std::to_string(v) + " at distance " + std::to_string(distances[v]);
        if (v == source ? distances[v] != 0 : distances[v] == 0 || distances[v] < bfs::unreached)
            return who + " from " + std::to_string(source);
        bool has_parent = false;
        for (int e = graph.row_starts[v]; e < graph.row_starts[v + 1]; ++e) {
            const int other = distances[graph.columns[e]];
            if ((other < 0) != (distances[v] < 0)) return who + " has a neighbour at " + std::to_string(other);
            if (std::abs(other - distances[v]) > 1) return who + " has a neighbour at " + std::to_string(other);
            has_parent |= other == distances[v] - 1;
        }
        if (distances[v] > 0 && !has_parent) return who + " has no neighbour one level up";
    }
    return "";
}

/// Runs a stage twice. What the distances and the scratch memory hold before does not matter.
void check_stage(const bfs::Stage& stage, const Case& c, std::size_t start) {
    const std::vector<int> expected = relaxed(c.graph, c.source);
    // Numbers around the arrays that lead out of everything, if they are read
    Fenced row_starts(c.graph.row_starts, start, 0x70), columns(c.graph.columns, start ? 4 - start : 0, 0x70);
    Fenced<int> distances(c.graph.rows, start ? start ^ 1 : 0);
    DeviceBuffer<unsigned char> scratch(bfs::scratch_bytes(c.graph.rows) + 4096);
    const bfs::Graph graph{c.graph.rows, c.graph.entries(), row_starts.data(), columns.data()};
    twice([&] {
        distances.buffer.poison();
        CUDA_CHECK(cudaMemset(distances.data(), 0, c.graph.rows * sizeof(int)));  // poison is `unreached`
        scratch.poison();
        stage.launch(graph, c.source, distances.data(), scratch.data());
        const std::vector<int> result = distances.values();
        REQUIRE_SAME(result, expected);
        REQUIRE(flaw(c.graph, c.source, result) == "");
        REQUIRE(distances.written_outside() == "");
        const std::vector<unsigned char> behind = scratch.to_host();
        REQUIRE(std::all_of(behind.begin() + bfs::scratch_bytes(c.graph.rows), behind.end(),
                            [](unsigned char byte) { return byte == 0xff; }));
    });
    REQUIRE_SAME(row_starts.values(), c.graph.row_starts);
    REQUIRE_SAME(columns.values(), c.graph.columns);
}

}  // namespace

TEST_CASE("every stage finds the distances in awkward graphs", "[16_sparse]") {
    const auto& stage = GENERATE(from_range(on_device(bfs::stages)));
    for (const Case& c : awkward()) {
        CAPTURE(stage.name, c.name, c.graph.rows, c.source);
        check_stage(stage, c, 0);
    }
}

TEST_CASE("every stage finds the distances wherever the arrays begin", "[16_sparse]") {
    const auto& stage = GENERATE(from_range(on_device(bfs::stages)));
    const std::size_t start = GENERATE(1, 2, 3);
    const Case c{"tangled", tangled(300, 400), 299};
    CAPTURE(stage.name, start);
    check_stage(stage, c, start);
}

TEST_CASE("no stage looks at vertices behind the last one", "[16_sparse]") {
    // There are rows for them, each with all edges; they are in the first level, or nobody has reached them.
    const auto& stage = GENERATE(from_range(on_device(bfs::stages)));
    const int distance_behind = GENERATE(0, bfs::unreached), n = GENERATE(1, 31, 257);
    CAPTURE(stage.name, n, distance_behind);
    constexpr std::size_t behind = 600;
    const Csr graph = path(n);
    std::vector<int> row_starts = graph.row_starts;
    for (std::size_t i = 0; i < behind; ++i) row_starts.push_back(i % 2 ? graph.entries() : 0);
    const auto d_row_starts = DeviceBuffer<int>::from_host(row_starts);
    const auto d_columns = DeviceBuffer<int>::from_host(graph.columns);
    std::vector<int> distances(n + behind, distance_behind), expected = relaxed(graph, n / 2);
    expected.resize(n + behind, distance_behind);
    auto d_distances = DeviceBuffer<int>::from_host(distances);
    auto scratch = poisoned<unsigned char>(bfs::scratch_bytes(n));
    stage.launch({n, graph.entries(), d_row_starts.data(), d_columns.data()}, n / 2, d_distances.data(),
                 scratch.data());
    d_distances.copy_to(distances);
    REQUIRE_SAME(distances, expected);
}

TEST_CASE("every stage finds the distances in larger graphs", "[16_sparse]") {
    const auto& stage = GENERATE(from_range(on_device(bfs::stages)));
    const std::string kind = GENERATE("uniform", "power", "grid", "pieces");
    const Case c{kind.c_str(), bfs::random_graph(kind, 30'011, 16, test_seed()), 17};
    CAPTURE(stage.name, kind);
    check_stage(stage, c, 0);
}

TEST_CASE("the CPU finds the distances", "[16_sparse]") {
    for (const Case& c : awkward()) {
        CAPTURE(c.name, c.graph.rows);
        std::vector<int> distances(c.graph.rows, 12345);
        bfs::cpu(c.graph, c.source, distances);
        REQUIRE_SAME(distances, relaxed(c.graph, c.source));
        REQUIRE(flaw(c.graph, c.source, distances) == "");
    }
}

TEST_CASE("wrong distances have a flaw", "[16_sparse]") {
    const Csr graph = path(5);
    REQUIRE(flaw(graph, 0, {0, 1, 2, 3, 4}) == "");
    REQUIRE(flaw(graph, 0, {0, 1, 2, 3, 2}) == "vertex 4 at distance 2 has no neighbour one level up");
    REQUIRE(flaw(graph, 0, {0, 1, 2, 3, -1}) == "vertex 3 at distance 3 has a neighbour at -1");
    REQUIRE(flaw(graph, 0, {0, 1, 2, 4, 5}) == "vertex 2 at distance 2 has a neighbour at 4");
    REQUIRE(flaw(graph, 0, {1, 0, 1, 2, 3}) == "vertex 0 at distance 1 from 0");
}

TEST_CASE("a graph has each edge from both ends, once, and no loops", "[16_sparse]") {
    const auto check = [](const Csr& graph) {
        REQUIRE(graph.rows == graph.width);
        REQUIRE(graph.row_starts.size() == std::size_t(graph.rows) + 1);
        REQUIRE(graph.columns.size() == std::size_t(graph.entries()));
        REQUIRE(graph.values.size() == graph.columns.size());
        std::vector<std::pair<int, int>> entries, turned;
        for (int v = 0; v < graph.rows; ++v)
            for (int e = graph.row_starts[v]; e < graph.row_starts[v + 1]; ++e) {
                REQUIRE(graph.columns[e] != v);
                entries.emplace_back(v, graph.columns[e]);
                turned.emplace_back(graph.columns[e], v);
            }
        REQUIRE(std::ranges::is_sorted(entries));
        REQUIRE(std::ranges::adjacent_find(entries) == entries.end());
        std::ranges::sort(turned);
        REQUIRE(entries == turned);
    };
    for (const char* kind : bfs::kinds)
        for (const int n : {1, 2, 3, 5, 100, 1021}) {
            CAPTURE(kind, n);
            const Csr graph = bfs::random_graph(kind, n, 8, 5);
            check(graph);
            REQUIRE(graph.rows == n);
            REQUIRE(graph.columns == bfs::random_graph(kind, n, 8, 5).columns);
        }
    Csr matrix;  // a loop, an edge from one end, and one from both
    matrix.rows = matrix.width = 3;
    matrix.row_starts = {0, 3, 4, 4};
    matrix.columns = {0, 1, 2, 0};
    matrix.values = {1, 2, 3, 4};
    const Csr graph = bfs::undirected(matrix);
    check(graph);
    REQUIRE(graph.row_starts == std::vector{0, 2, 3, 4});
    REQUIRE(graph.columns == std::vector{1, 2, 0, 0});

    matrix.width = 4;
    REQUIRE(complaint([&] { bfs::undirected(matrix); }) ==
            "the matrix has 3 rows and 4 columns: a graph needs a square one");
    REQUIRE(complaint([] { bfs::random_graph("round", 3, 8, 5); }) ==
            "there are no round graphs: choose uniform, power, star, grid or pieces");
}

TEST_CASE("graphs are as their kinds say", "[16_sparse]") {
    const auto distances = [](const Csr& graph) {
        std::vector<int> found(graph.rows);
        bfs::cpu(graph, 0, found);
        return found;
    };
    const auto mean = [](const Csr& graph) { return 1.0 * graph.entries() / graph.rows; };
    const Csr uniform = bfs::random_graph("uniform", 4000, 16, test_seed());
    REQUIRE(mean(uniform) > 14);
    REQUIRE(mean(uniform) < 17);

    const Csr power = bfs::random_graph("power", 4000, 16, test_seed());
    int largest = 0;
    for (int v = 0; v < power.rows; ++v) largest = std::max(largest, power.row_starts[v + 1] - power.row_starts[v]);
    REQUIRE(largest > 1000);

    REQUIRE(distances(bfs::random_graph("star", 5, 16, 1)) == std::vector{0, 2, 2, 2, 1});
    REQUIRE(distances(bfs::random_graph("grid", 30 * 30, 16, 1)).back() == 58);
    REQUIRE(distances(bfs::random_graph("grid", 8, 16, 1)) == std::vector{0, 1, 2, 1, 2, 3, 2, 3});

    const std::vector<int> in_pieces = distances(bfs::random_graph("pieces", 1003, 16, test_seed()));
    REQUIRE(std::ranges::count(in_pieces, bfs::unreached) == 1003 - 250);
}

TEST_CASE("bfs prints every stage, and what the search found", "[16_sparse]") {
    const std::string bfs_program = program("16_sparse", "bfs");
    SECTION("graphs of several kinds") {
        const Outcome result =
            run(bfs_program + " --n 36 --mean 4 --repeat 1 --graph grid,pieces --source 35 --levels");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        for (const char* text : {"\ngrid graph: 36 vertices, 60 edges\n", "\npieces graph: 36 vertices, ",
                                 "From vertex 35: 11 levels, 36 of 36 vertices reached, at most 6 in a level.",
                                 "9 of 36 vertices reached", "\n0                    1             2           118\n"})
            REQUIRE(result.out.find(text) != std::string::npos);
        for (const auto& stage : bfs::stages) REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
    }
    SECTION("a Matrix Market file") {
        const TemporaryFile file;
        std::ofstream(file.path()) << "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 4\n";
        const Outcome result = run(bfs_program + " --repeat 1 --stage b4 --graph " + file.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("graph: 4 vertices, 2 edges\n") != std::string::npos);
        REQUIRE(result.out.find("From vertex 0: 3 levels, 3 of 4 vertices reached") != std::string::npos);
    }
    SECTION("what makes no sense is refused in one line") {
        for (const auto& [arguments, part] : std::initializer_list<std::pair<const char*, const char*>>{
                 {" --n 36 --source 36", "--source 36: uniform has the vertices 0 to 35"},
                 {" --source -1", "--source"},
                 {" --graph /no/such/file", "cannot read /no/such/file"},
                 {" --mean 0", "--mean"},
                 {" --mean 2^31", "--mean 2147483648: at most 1,073,741,824"},
                 {" --n 2^31", "--n 2147483648: at most 1,073,741,824"}}) {
            const Outcome result = run(bfs_program + arguments);
            CAPTURE(arguments, result.err);
            REQUIRE(result.exit_code == 2);
            REQUIRE(result.err.find(part) != std::string::npos);
            REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        }
    }
}
