// Searches graphs of several kinds breadth-first with every stage, and prints what each one costs, and how many levels
// the search has.

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bfs.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "graphs.h"
#include "harness/report.h"
#include "harness/text.h"
#include "matrices.h"

namespace {

using bfs::Stage;
using sparse::Csr;

const Chapter chapter{.name = "16_sparse",
                      .about = "Breadth-first search: how many edges each vertex of a graph is away from a source.",
                      .n = std::size_t{1} << 20,
                      .unit = "vertices",
                      .bench_sizes = {1 << 12, 1 << 16, 1 << 20, 1 << 22},
                      .n_on_emulator = 1 << 12};

/// The chapter's own options, as they were given.
struct Own {
    std::vector<std::string> graphs{"uniform", "power", "grid"};
    std::string mean = "16", source;
    bool prints_levels = false;
};

/// A graph on the host and on the device.
class Search : public Trial<Stage> {
  public:
    Search(const Csr& graph, int source)
        : graph_(graph),
          source_(source),
          distances_(graph.rows),
          expected_(graph.rows),
          d_row_starts_(graph.row_starts.size()),
          d_columns_(graph.columns.size()),
          d_distances_(graph.rows),
          d_scratch_(bfs::scratch_bytes(graph.rows)) {
        bfs::cpu(graph_, source_, expected_);
    }

    void on_host() override { stage().on_host(graph_, source_, distances_); }

    void upload() override {
        d_row_starts_.copy_from(graph_.row_starts);
        d_columns_.copy_from(graph_.columns);
    }

    void launch() override {
        const bfs::Graph graph{graph_.rows, graph_.entries(), d_row_starts_.data(), d_columns_.data()};
        stage().launch(graph, source_, d_distances_.data(), d_scratch_.data());
    }

    void download() override { d_distances_.copy_to(distances_); }

    /// Other bytes than 0xff, which would be distances of vertices that are not reached.
    void poison() override {
        constexpr int byte = 0x66;
        std::ranges::fill(distances_, -2);
        CUDA_CHECK(cudaMemset(d_distances_.data(), byte, d_distances_.size() * sizeof(int)));
        d_scratch_.poison();
    }

    std::optional<double> verify() override {
        require_same<int>(stage().name, distances_, expected_);
        return 0;
    }

    const std::vector<int>& expected() const { return expected_; }

  private:
    const Csr& graph_;
    const int source_;
    std::vector<int> distances_, expected_;
    DeviceBuffer<int> d_row_starts_, d_columns_, d_distances_;
    DeviceBuffer<unsigned char> d_scratch_;
};

/// The source that was asked for, or else the first vertex that has a neighbour.
int choose_source(const std::string& name, const Csr& graph, const std::string& asked) {
    if (asked.empty()) {
        const auto& starts = graph.row_starts;  // 0 until the first row that is not empty
        const auto end = std::find_if(starts.begin(), starts.end(), [](int start) { return start > 0; });
        return end == starts.end() ? 0 : static_cast<int>(end - starts.begin() - 1);
    }
    const std::size_t source = asked == "0" ? 0 : parse_count("--source", asked);
    if (source >= static_cast<std::size_t>(graph.rows))
        throw usage_error("--source " + asked + ": " + name + " has the vertices 0 to " +
                          std::to_string(graph.rows - 1));
    return static_cast<int>(source);
}

/// What it takes to find the level after this one.
struct Level {
    std::size_t vertices = 0;    ///< that this level has
    std::size_t edges = 0;       ///< that begin there: from above, all of them are read
    std::size_t from_below = 0;  ///< edges that are read from below: by each vertex up to one that leads to this level
};

std::vector<Level> levels_of(const Csr& graph, const std::vector<int>& distances) {
    std::vector<Level> levels(*std::ranges::max_element(distances) + 1);
    for (int v = 0; v < graph.rows; ++v) {
        const std::span<const int> neighbours(graph.columns.data() + graph.row_starts[v],
                                              graph.row_starts[v + 1] - graph.row_starts[v]);
        const bool is_reached = distances[v] != bfs::unreached;
        if (is_reached) {
            ++levels[distances[v]].vertices;
            levels[distances[v]].edges += neighbours.size();
        }
        const int above = is_reached ? distances[v] - 1 : static_cast<int>(levels.size());
        for (int level = 0; level < std::min<int>(above, levels.size()); ++level)
            levels[level].from_below += neighbours.size();
        if (is_reached && above >= 0) {
            const auto found = std::ranges::find(neighbours, above, [&](int u) { return distances[u]; });
            levels[above].from_below += found - neighbours.begin() + 1;
        }
    }
    return levels;
}

void print_levels(const std::vector<Level>& levels) {
    std::printf("\nEdges that are read to find the next level, from above and from below:\n\n");
    std::printf("%s%s%s%s\n", left("level", 8).c_str(), right("vertices", 14).c_str(), right("from above", 14).c_str(),
                right("from below", 14).c_str());
    for (std::size_t i = 0; i < levels.size(); ++i)
        std::printf("%s%s%s%s\n", left(with_separators(i), 8).c_str(),
                    right(with_separators(levels[i].vertices), 14).c_str(),
                    right(with_separators(levels[i].edges), 14).c_str(),
                    right(with_separators(levels[i].from_below), 14).c_str());
}

/// The edges that a search goes along, each counted once: those between vertices that are reached.
double edges_traversed(const Csr& graph, const std::vector<int>& distances) {
    double entries = 0;
    for (int v = 0; v < graph.rows; ++v)
        if (distances[v] != bfs::unreached) entries += graph.row_starts[v + 1] - graph.row_starts[v];
    return entries / 2;
}

void run(const std::string& name, const Csr& graph, const Own& own, Report& report) {
    const auto vertices = static_cast<std::size_t>(graph.rows), entries = static_cast<std::size_t>(graph.entries());
    if (vertices == 0 || vertices > bfs::max_vertices)
        throw usage_error(name + ": a search needs 1 to " + with_separators(bfs::max_vertices) + " vertices");
    require_memory(4.0 * entries + 24.0 * vertices, 8.0 * entries + 20.0 * vertices);

    const int source = choose_source(name, graph, own.source);
    Search trial(graph, source);
    report.begin(
        name + " graph: " + with_separators(vertices) + " vertices, " + with_separators(entries / 2) + " edges",
        vertices, {.items = edges_traversed(graph, trial.expected()), .items_are = "edges"});
    report.run(bfs::stages, trial);

    const std::vector<Level> levels = levels_of(graph, trial.expected());
    std::size_t reached = 0, widest = 0;
    for (const Level& level : levels) {
        reached += level.vertices;
        widest = std::max(widest, level.vertices);
    }
    std::printf("\n%s\n", wrapped("From vertex " + with_separators(source) + ": " + with_separators(levels.size()) +
                                  (levels.size() == 1 ? " level, " : " levels, ") + with_separators(reached) + " of " +
                                  with_separators(vertices) + " vertices reached, at most " + with_separators(widest) +
                                  " in a level.")
                              .c_str());
    if (own.prints_levels) print_levels(levels);
}

bool is_kind(const std::string& graph) {
    return std::ranges::find(bfs::kinds, graph) != std::end(bfs::kinds);
}

int parse_at_most(const std::string& option, std::size_t value) {
    if (value > bfs::max_vertices)
        throw usage_error(option + " " + std::to_string(value) + ": at most " + with_separators(bfs::max_vertices));
    return static_cast<int>(value);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(bfs::stages), [&](CommandLine& line) {
            line.list(
                "--graph", own.graphs,
                "Which graphs: uniform, power, grid (default: these three), star, pieces, or the path of a Matrix "
                "Market file with a square matrix");
            line.option("--mean", own.mean, "How many neighbours a vertex has on average (default: " + own.mean + ")");
            line.option("--source", own.source, "Where the search begins (default: the first vertex with a neighbour)");
            line.flag("--levels", own.prints_levels, "Show each level, and how many edges are read to find the next");
        });
        const int mean = parse_at_most("--mean", parse_count("--mean", own.mean));
        for (const std::size_t n : options.sizes) parse_at_most("--n", n);
        std::vector<std::pair<std::string, Csr>> files;  // all read before any work, as they may be wrong
        for (const std::string& graph : own.graphs)
            if (!is_kind(graph)) files.emplace_back(graph, bfs::undirected(sparse::read_matrix_market(graph)));

        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            require_memory(4.0 * n * mean + 24.0 * n, 24.0 * n * mean + 28.0 * n);
            for (const std::string& graph : own.graphs)
                if (is_kind(graph))
                    run(graph, bfs::random_graph(graph, static_cast<int>(n), mean, options.seed), own, report);
        }
        for (const auto& [path, graph] : files) run(path, graph, own, report);
        report.write();
    });
}
