// Makes two random matrices, rounds them to eight bits in four ways, and multiplies them with every stage. Quantizing
// has tables of its own: their error is how far the product of the rounded matrices is from that of the matrices as
// they were.

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/memory.h"
#include "common/verify.h"
#include "eight_bound.h"
#include "harness/report.h"
#include "harness/text.h"
#include "quantized_matrices.h"

namespace {

using namespace matrix_multiply;

const Chapter chapter{.name = "11_matrix_multiply",
                      .about = "The product of two matrices of floats that were rounded to eight bits.",
                      .n = 1024,
                      .unit = "rows and columns",
                      .bench_sizes = {1024, 4096, 8192},
                      .n_on_emulator = 256};

/// Above this many products, 64 rows of c are verified, and the host's stage is left out: it would take too long.
constexpr double most_products = 0x1p31;
constexpr std::size_t rows_of_large = 64;

struct Input {
    Shape shape;
    std::vector<float> a, b;
    std::vector<std::size_t> rows;  // to verify

    double products() const { return 1.0 * shape.m * shape.k * shape.n; }
};

Input make_input(Shape shape, std::uint64_t seed) {
    const auto [m, k, n] = shape;
    Input input{shape, std::vector<float>(m * k), std::vector<float>(k * n), {}};
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<float> between(-1, 1);
    for (auto* matrix : {&input.a, &input.b})
        for (float& element : *matrix) element = between(generator);
    input.rows = rows_to_verify(m, input.products() > most_products ? rows_of_large : m);
    return input;
}

/// The largest error, relative to the largest element. Throws wrong_result, with the first wrong index, unless every
/// element is within its bound. A NaN never is. at: the element of that row and column.
template <class At>
double largest_error(std::string_view stage, const ExactRows& exact, std::size_t n, const At& at) {
    double largest = 0, error = 0;
    for (std::size_t index = 0; index < exact.c.size(); ++index) {
        const std::size_t i = exact.rows[index / n], j = index % n;
        const double actual = at(i, j), difference = std::abs(actual - exact.c[index]);
        if (!(difference <= exact.bound[index])) {
            std::ostringstream text;
            text.precision(9);
            text << stage << " is wrong at row " << i << ", column " << j << ": expected " << exact.c[index]
                 << " within " << exact.bound[index] << ", got " << actual;
            throw wrong_result(text.str());
        }
        largest = std::max(largest, std::abs(exact.c[index]));
        error = std::max(error, difference);
    }
    return error == 0 ? 0 : error / largest;
}

/// The input on the device, and room for it in eight bits.
template <class F>
struct OnDevice {
    explicit OnDevice(Shape shape)
        : a(shape.m, shape.k, Rows::dense), b(shape.k, shape.n, Rows::dense), quantized(shape) {}

    void copy_from(const Input& input) {
        a.copy_from(input.a);
        b.copy_from(input.b);
    }

    DeviceMatrix<float> a, b;
    QuantizedMatrices<F> quantized;
};

template <class T>
std::vector<float> to_host(Matrix<const T> matrix) {
    std::vector<T> elements(matrix.rows * matrix.stride);
    CUDA_CHECK(cudaMemcpy(elements.data(), matrix.data, elements.size() * sizeof(T), cudaMemcpyDeviceToHost));
    std::vector<float> floats(elements.size());
    std::transform(elements.begin(), elements.end(), floats.begin(), [](T x) { return static_cast<float>(x); });
    return floats;
}

template <class F>
class Quantizing : public Trial<QuantizeStage<F>> {
    using Trial<QuantizeStage<F>>::stage;

  public:
    Quantizing(const Input& input, const QuantizedOnHost<F>& quantized, const ExactRows& quantized_c)
        : input_(input),
          quantized_(quantized),
          quantized_c_(quantized_c),
          original_(original_rows<F>(input.a, input.b, quantized, input.rows)),
          device_(input.shape) {}

    void on_host() override {}

    void upload() override { device_.copy_from(input_); }

    void launch() override {
        stage().launch(std::as_const(device_.a).view(), std::as_const(device_.b).view(), device_.quantized);
    }

    /// The matrices stay on the device, where they are used.
    void download() override { CUDA_CHECK(cudaDeviceSynchronize()); }

    void poison() override { device_.quantized.poison(); }

    std::optional<double> verify() override {
        const auto [m, k, n] = input_.shape;
        const Quantized<F> view = device_.quantized.view();
        std::vector<float> a(view.a.rows * view.a.stride), b(view.b_transposed.rows * view.b_transposed.stride);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t l = 0; l < k; ++l) a[i * view.a.stride + l] = quantized_.a[i * k + l];
        for (std::size_t l = 0; l < k; ++l)
            for (std::size_t j = 0; j < n; ++j) b[j * view.b_transposed.stride + l] = quantized_.b[l * n + j];
        const std::string name(stage().name);
        require_same<float>(name + ", a,", to_host(view.a), a);
        require_same<float>(name + ", b transposed,", to_host(view.b_transposed), b);
        require_scales(name + ", the scales of a,", view.a_scales, quantized_.a_scales, m);
        require_scales(name + ", the scales of b,", view.b_scales, quantized_.b_scales, n);

        std::size_t at = 0;
        return largest_error(stage().name, original_, n, [&](std::size_t i, std::size_t j) {
            const double c = quantized_c_.c[at++];
            return std::is_same_v<F, Int8> ? c * quantized_.a_scales[i] * quantized_.b_scales[j] : c;
        });
    }

  private:
    /// Those of what is beyond the matrix are not looked at.
    static void require_scales(const std::string& name, Matrix<const float> actual, const std::vector<float>& expected,
                               std::size_t count) {
        std::vector<float> scales;
        const std::vector<float> all = to_host(actual);
        for (std::size_t block = 0; block < actual.rows; ++block)
            scales.insert(scales.end(), &all[block * actual.stride], &all[block * actual.stride] + count);
        require_same<float>(name, scales, expected);
    }

    const Input& input_;
    const QuantizedOnHost<F>& quantized_;
    const ExactRows& quantized_c_;
    ExactRows original_;
    OnDevice<F> device_;
};

template <class F>
bool has_wgmma() {
    if constexpr (F::by_blocks)
        return block_scales_is_compiled();
    else
        return wgmma_is_compiled_for<F>();
}

template <class F>
class EightProduct : public Trial<EightStage<F>> {
    using Trial<EightStage<F>>::stage;
    using Sum = typename F::Sum;

  public:
    EightProduct(const Input& input, const QuantizedOnHost<F>& quantized, const ExactRows& expected)
        : input_(input),
          quantized_(quantized),
          expected_(expected),
          device_(input.shape),
          d_c_(input.shape.m, input.shape.n, Rows::dense),
          c_(input.shape.m * input.shape.n) {}

    void on_host() override {
        host_c_.resize(c_.size());
        stage().on_host(quantized_, host_c_);
    }

    /// Quantizes, too. This is a part of the times with copies only.
    void upload() override {
        device_.copy_from(input_);
        device_.quantized.quantize(std::as_const(device_.a).view(), std::as_const(device_.b).view());
    }

    void launch() override { stage().launch(device_.quantized.view(), d_c_.view()); }

    void download() override { d_c_.copy_to(c_); }

    void poison() override {
        // A NaN, or no sum of products.
        std::fill(c_.begin(), c_.end(), std::is_same_v<Sum, int> ? Sum(-1e9) : std::numeric_limits<Sum>::quiet_NaN());
        std::fill(host_c_.begin(), host_c_.end(), std::numeric_limits<double>::quiet_NaN());
        d_c_.poison();
    }

    std::string why_left_out() override {
        if (stage().on_host && input_.products() > most_products) return "it would take too long for so many products";
        if (stage().needs != warpgroup_mma || has_wgmma<F>()) return "";
        if (on_emulator()) return "the emulator has wgmma for whole numbers, not for FP8";
        return "compiled without code for sm_90a, which nvcc -gencode=arch=compute_90a,code=sm_90a makes";
    }

    std::optional<double> verify() override {
        const std::size_t n = input_.shape.n;
        if (!stage().on_host)
            return largest_error(stage().name, expected_, n,
                                 [&](std::size_t i, std::size_t j) { return static_cast<double>(c_[i * n + j]); });
        largest_error(stage().name, expected_, n, [&](std::size_t i, std::size_t j) { return host_c_[i * n + j]; });
        return std::nullopt;
    }

  private:
    const Input& input_;
    const QuantizedOnHost<F>& quantized_;
    const ExactRows& expected_;
    OnDevice<F> device_;
    DeviceMatrix<Sum> d_c_;
    std::vector<Sum> c_;
    std::vector<double> host_c_;
};

/// Whether this stage was asked for, and has code for Int8 but none for F: q3_wgmma on the emulator.
template <class F>
bool is_of_int8_here(const std::string& asked) {
    const auto is_asked = [&](const auto& stage) {
        return stage.needs == warpgroup_mma && is_chosen(asked, stage.name);
    };
    return !asked.empty() && !std::is_same_v<F, Int8> && std::ranges::any_of(eight_stages<F>, is_asked) &&
           std::ranges::any_of(eight_stages<Int8>, is_asked) && !has_wgmma<F>();
}

template <class F>
void run(const Input& input, const std::string& title, const std::string& asked, Report& report) {
    const auto [m, k, n] = input.shape;
    const bool quantizes = any_chosen(asked, quantize_stages<F>);
    const bool multiplies = any_chosen(asked, eight_stages<F>) && !is_of_int8_here<F>(asked);
    if (!quantizes && !multiplies) return;
    const QuantizedOnHost<F> quantized = quantized_on_host<F>(input.a, input.b, input.shape);
    const ExactRows c = exact_rows(quantized, input.rows);
    if (quantizes) {
        Quantizing<F> trial(input, quantized, c);
        report.begin("Quantizing to " + std::string(F::name) + ", " + title, n,
                     {.bytes = bytes_of_quantizing(input.shape)});
        report.run(quantize_stages<F>, trial);
    }
    if (multiplies) {
        EightProduct<F> trial(input, quantized, c);
        report.begin(F::name + (", " + title), n, {.flops = 2.0 * m * k * n, .precision = Precision::eight_bits});
        report.run(eight_stages<F>, trial);
    }
}

std::string text_of(Shape shape) {
    const auto [m, k, n] = shape;
    return with_separators(m) + " × " + with_separators(k) + " times " + with_separators(k) + " × " +
           with_separators(n);
}

/// The program's own options, as they were given.
struct Own {
    std::optional<std::string> m, k;
};

void run(std::size_t n, const Own& own, const Options& options, Report& report) {
    const Shape shape{own.m ? parse_count("--m", *own.m) : n, own.k ? parse_count("--k", *own.k) : n, n};
    constexpr std::size_t longest = 0x7fff'ffff / (127 * 127);
    if (shape.k > longest)
        throw usage_error("a sum of " + with_separators(shape.k) +
                          " products of bytes may not fit into an int: choose a shorter one, up to " +
                          with_separators(longest));
    const double elements = 1.0 * shape.m * shape.k + 1.0 * shape.k * shape.n, results = 1.0 * shape.m * shape.n;
    require_memory((2 * sizeof(float) + 2) * elements + 8 * results, 4 * sizeof(float) * elements + 24 * results);
    const Input input = make_input(shape, options.seed);
    const std::string title = text_of(shape);
    run<Int8>(input, title, options.stage, report);
    run<E4m3>(input, title, options.stage, report);
    run<E5m2>(input, title, options.stage, report);
    run<E4m3Blocks>(input, title, options.stage, report);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        auto names = names_of(quantize_stages<Int8>, eight_stages<Int8>);
        for (const StageName& stage : names_of(eight_stages<E4m3>, eight_stages<E4m3Blocks>))
            if (std::ranges::find(names, stage.name, &StageName::name) == names.end()) names.push_back(stage);
        const Options options = read_options(argc, argv, chapter, names, [&](CommandLine& line) {
            line.option("--m", own.m, "Rows of the first matrix (default: n)");
            line.option("--k", own.k, "Columns of the first matrix, and rows of the second one (default: n)");
        });
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, own, options, report);
        report.write();
    });
}
