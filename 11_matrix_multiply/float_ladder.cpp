// Runs the float stages, and compares every element with the product in double.

#include <algorithm>
#include <limits>
#include <utility>

#include "common/verify.h"
#include "error_bound.h"
#include "ladders.h"

namespace matrix_multiply {
namespace {

constexpr double most_for_one_thread = 1e10;  // multiply-adds; more take over a minute
constexpr double slower_by_columns = 8;       // so many times, or less, is 1_cpu/ijl slower than 1_cpu

/// The matrices on the device, in one of the layouts.
struct OnDevice {
    OnDevice(Shape shape, Rows layout)
        : a(shape.m, shape.k, layout), b(shape.k, shape.n, layout), c(shape.m, shape.n, layout) {}

    DeviceMatrix<float> a, b, c;
};

class FloatProduct : public Trial<Stage> {
  public:
    explicit FloatProduct(const Input& input)
        : input_(input),
          bound_(input.a, input.b, input.shape),
          dense_(input.shape, Rows::dense),
          pitched_(input.shape, Rows::pitched),
          c_(input.shape.m * input.shape.n),
          host_c_(c_.size()) {}

    void on_host() override { stage().on_host(input_.a, input_.b, input_.shape, host_c_); }

    void upload() override {
        matrices_of(stage()).a.copy_from(input_.a);
        matrices_of(stage()).b.copy_from(input_.b);
    }

    void launch() override {
        OnDevice& matrices = matrices_of(stage());
        if (stage().threads > 0)
            row_per_block_with(stage().threads, matrices.a.view(), matrices.b.view(), matrices.c.view());
        else
            stage().launch(matrices.a.view(), matrices.b.view(), matrices.c.view());
    }

    void download() override { matrices_of(stage()).c.copy_to(c_); }

    void poison() override {
        std::fill(c_.begin(), c_.end(), std::numeric_limits<float>::quiet_NaN());
        std::fill(host_c_.begin(), host_c_.end(), std::numeric_limits<double>::quiet_NaN());
        matrices_of(stage()).c.poison();
    }

    std::optional<double> verify() override {
        if (!stage().on_host) return largest_error(stage().name, c_, expected_, bound_, input_.shape);
        if (expected_.empty()) {  // the first stage of all: it is the reference
            expected_ = host_c_;
            return std::nullopt;
        }
        require_same<double>(stage().name, host_c_, expected_);
        return 0;
    }

    std::string why_left_out() override {
        const double slower = stage().on_host == cpu ? 1 : stage().on_host == cpu_ijl ? slower_by_columns : 0;
        if (is_long(input_.shape, slower)) return "one thread would take more than a minute";
        const bool is_choice = std::ranges::count(fitted_tiles(), stage().launch, &FittedTile::launch) > 0;
        return is_choice ? "14_fitted chooses among them; --stage 14 runs all" : "";
    }

    static bool is_long(Shape shape, double slower = 1) {
        return slower * shape.m * shape.k * shape.n > most_for_one_thread;
    }

  private:
    OnDevice& matrices_of(const Stage& stage) { return stage.layout == Rows::dense ? dense_ : pitched_; }

    const Input& input_;
    ErrorBound bound_;
    OnDevice dense_, pitched_;
    std::vector<float> c_;
    std::vector<double> host_c_, expected_;
};

}  // namespace

void run_float(const Input& input, const std::vector<Stage>& chosen, const std::string& title, Report& report) {
    const auto [m, k, n] = input.shape;
    std::vector<Stage> in_order = chosen;
    // The first stage always runs, as the reference: with all threads, if one would take too long.
    if (FloatProduct::is_long(input.shape)) std::swap(in_order[0], in_order[1]);
    FloatProduct trial(input);
    report.begin("Floats, " + title, k, {.flops = 2.0 * m * k * n});
    report.run(in_order, trial);
}

}  // namespace matrix_multiply
