// Makes two random matrices and multiplies them with every stage: as floats, then their signs as bits, and at last
// rounded to what tensor cores take.

#include <algorithm>
#include <list>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/memory.h"
#include "error_bound.h"
#include "ladders.h"

namespace {

using namespace matrix_multiply;
using matrix_multiply::Stage;

const Chapter chapter{
    .name = "11_matrix_multiply",
    .about = "The product of two matrices of floats, of +1 and -1, and of floats rounded to TF32 and BF16.",
    .n = 1000,
    .unit = "rows and columns",
    .bench_sizes = {256, 512, 1000, 2048, 4096}};

// The emulator is slow, so its product is smaller. The sums are as long as on a GPU.
constexpr std::size_t rows_on_emulator = 32, columns_on_emulator = 100;

/// The chapter's own options, as they were given.
struct Own {
    std::string a, b;
    std::optional<std::string> m;
    std::vector<std::string> threads{"256", "32"};
    bool floats_only = false, binary_only = false, tensor_only = false;

    bool has_floats() const { return !binary_only && !tensor_only; }
    bool has_binary() const { return !floats_only && !tensor_only; }
    bool has_tensor() const { return !floats_only && !binary_only; }
};

struct Size {
    std::size_t rows, columns;
};

/// "1000x500" as rows and columns.
Size parse_size(const std::string& option, const std::string& text) {
    const std::size_t x = text.find('x');
    if (x == text.npos || x == 0 || x + 1 == text.size())
        throw usage_error(option + " " + text + ": must be ROWSxCOLUMNS, such as 1000x500");
    return {parse_count(option, text.substr(0, x)), parse_count(option, text.substr(x + 1))};
}

std::vector<Shape> shapes_of(const Options& options, const Own& own) {
    if (own.a.empty() != own.b.empty()) throw usage_error("--a and --b: give both sizes, or neither");
    if (!own.a.empty()) {
        const Size a = parse_size("--a", own.a), b = parse_size("--b", own.b);
        if (a.columns != b.rows)
            throw usage_error("--a " + own.a + " --b " + own.b + ": a must have as many columns as b has rows");
        return {{a.rows, a.columns, b.columns}};
    }
    std::vector<Shape> shapes;
    for (const std::size_t n : options.sizes) {
        const auto at_most = [n](std::size_t there) { return on_emulator() ? std::min(n, there) : n; };
        const std::size_t rows = own.m ? parse_count("--m", *own.m) : at_most(rows_on_emulator);
        shapes.push_back({rows, n, at_most(columns_on_emulator)});
    }
    return shapes;
}

std::vector<unsigned> threads_of(const Own& own) {
    std::vector<unsigned> threads;
    for (const std::string& text : own.threads) {
        const std::size_t count = parse_count("--threads", text);
        if (count > 1024) throw usage_error("--threads " + text + ": a block has at most 1024");
        threads.push_back(static_cast<unsigned>(count));
    }
    return threads;
}

/// The stages for floats, with 2_row_per_block in blocks of these sizes. names: keeps the names that are made here.
std::vector<Stage> stages_with(const std::vector<unsigned>& threads, std::list<std::string>& names) {
    std::vector<Stage> chosen;
    for (const Stage& stage : stages) {
        if (stage.name != "2_row_per_block" && stage.name != "2_row_per_block/32") chosen.push_back(stage);
        if (stage.name != "2_row_per_block") continue;
        for (const unsigned count : threads) {
            Stage with_count = stage;
            with_count.threads = count;
            if (count != usual_threads)
                with_count.name = names.emplace_back(std::string(stage.name) + "/" + std::to_string(count));
            chosen.push_back(with_count);
        }
    }
    return chosen;
}

std::string text_of(Shape shape) {
    const auto [m, k, n] = shape;
    return with_separators(m) + " × " + with_separators(k) + " times " + with_separators(k) + " × " +
           with_separators(n);
}

Input make_input(Shape shape, std::uint64_t seed) {
    const auto [m, k, n] = shape;
    Input input{shape, std::vector<float>(m * k), std::vector<float>(k * n)};
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<float> between(-1, 1);
    for (auto* matrix : {&input.a, &input.b})
        for (float& element : *matrix) element = between(generator);
    return input;
}

bool is_any_of_tensor_chosen(const std::string& asked) {
    return any_chosen(asked, round_stages<float>) || any_chosen(asked, tensor_stages<float>);
}

void run(Shape shape, const std::vector<Stage>& float_stages, const Own& own, const Options& options, Report& report) {
    const auto [m, k, n] = shape;
    if (k > ErrorBound::longest)
        throw usage_error("a sum of " + with_separators(k) +
                          " products says nothing in float: choose a shorter one, up to " +
                          with_separators(ErrorBound::longest));
    const double elements = 1.0 * m * k + 1.0 * k * n, results = 1.0 * m * n;
    require_memory(3.0 * sizeof(float) * (elements + results), sizeof(float) * (2 * elements + 6 * results));
    const Input input = make_input(shape, options.seed);
    const std::string title = text_of(shape);
    if (own.has_floats() && any_chosen(options.stage, float_stages)) run_float(input, float_stages, title, report);
    if (own.has_binary() && any_chosen(options.stage, pack_stages)) run_packing(input, title, report);
    if (own.has_binary() && any_chosen(options.stage, binary_stages)) run_binary(input, title, report);
    if (own.has_tensor() && is_any_of_tensor_chosen(options.stage)) run_tensor(input, title, options.stage, report);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const auto names = names_of(stages, pack_stages, binary_stages, round_stages<float>, tensor_stages<float>);
        const Options options = read_options(argc, argv, chapter, names, [&](CommandLine& line) {
            line.option("--m", own.m,
                        "Rows of the first matrix (default: n; on the emulator " + std::to_string(rows_on_emulator) +
                            " at most, to save time)");
            line.option("--a", own.a, "Size of the first matrix, ROWSxCOLUMNS");
            line.option("--b", own.b, "Size of the second matrix; has as many rows as the first one has columns");
            line.excludes("--a", {"--n", "--m", "--bench"});
            line.excludes("--b", {"--n", "--m", "--bench"});
            line.list("--threads", own.threads, "Block sizes for 2_row_per_block (default: 256,32)");
            line.flag("--float", own.floats_only, "Only the stages for floats");
            line.flag("--binary", own.binary_only, "Only the stages for +1 and -1");
            line.flag("--tensor", own.tensor_only, "Only the stages for floats rounded to TF32 and BF16");
            line.excludes("--float", {"--binary", "--tensor"});
            line.excludes("--binary", {"--tensor"});
        });
        std::list<std::string> names_of_variants;
        const auto float_stages = stages_with(threads_of(own), names_of_variants);
        const bool any = (own.has_floats() && any_chosen(options.stage, float_stages)) ||
                         (own.has_binary() &&
                          (any_chosen(options.stage, pack_stages) || any_chosen(options.stage, binary_stages))) ||
                         (own.has_tensor() && is_any_of_tensor_chosen(options.stage));
        if (!any)
            throw usage_error("--stage " + options.stage + ": --float, --binary, --tensor or --threads leaves it out");
        const std::vector<Shape> shapes = shapes_of(options, own);

        Report report(chapter, options);
        for (const Shape shape : shapes) run(shape, float_stages, own, options, report);
        report.write();
    });
}
