// Rounds the matrices to TF32 and to BF16, runs the tensor cores' stages on them, and compares every element with the
// product in double of the same rounded matrices. Rounding has tables of its own: their error is how far the product of
// the rounded matrices is from that of the matrices as they were.

#include <algorithm>
#include <limits>
#include <utility>

#include "common/check.h"
#include "common/verify.h"
#include "error_bound.h"
#include "ladders.h"

namespace matrix_multiply {
namespace {

template <class T>
constexpr const char* name_of = std::is_same_v<T, float> ? "TF32" : "BF16";

template <class T>
constexpr Precision precision_of = std::is_same_v<T, float> ? Precision::tf32 : Precision::bf16;

std::vector<double> product(const Input& input) {
    std::vector<double> c(input.shape.m * input.shape.n);
    rounded_cpu(input.a, input.b, input.shape, c);
    return c;
}

template <class T>
Input rounded(Input input) {
    for (auto* matrix : {&input.a, &input.b})
        for (float& element : *matrix) element = rounded_on_host<T>(element);
    return input;
}

/// The input on the device, and room for it, rounded.
template <class T>
struct OnDevice {
    explicit OnDevice(Shape shape, bool with_b)
        : a(shape.m, shape.k, Rows::dense), b(shape.k, shape.n, Rows::dense), rounded(shape, with_b) {}

    void copy_from(const Input& input) {
        a.copy_from(input.a);
        b.copy_from(input.b);
    }

    void round() { rounded.round(std::as_const(a).view(), std::as_const(b).view()); }

    DeviceMatrix<float> a, b;
    RoundedMatrices<T> rounded;
};

template <class T>
std::vector<float> to_host(Matrix<const T> matrix) {
    std::vector<T> elements(matrix.rows * matrix.stride);
    CUDA_CHECK(cudaMemcpy(elements.data(), matrix.data, elements.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return {elements.begin(), elements.end()};
}

template <class T>
class Rounding : public Trial<RoundStage<T>> {
    using Trial<RoundStage<T>>::stage;

  public:
    /// c, rounded_c: the products of the input, as it is and rounded.
    Rounding(const Input& input, const std::vector<double>& c, const Input& rounded,
             const std::vector<double>& rounded_c)
        : input_(input), c_(c), rounded_(rounded), rounded_c_(rounded_c), device_(input.shape, false) {}

    void on_host() override {}

    void upload() override { device_.copy_from(input_); }

    void launch() override {
        stage().launch(std::as_const(device_.a).view(), std::as_const(device_.b).view(), device_.rounded);
    }

    /// The rounded matrices stay on the device, where they are used.
    void download() override { CUDA_CHECK(cudaDeviceSynchronize()); }

    void poison() override { device_.rounded.poison(); }

    std::optional<double> verify() override {
        const auto [m, k, n] = input_.shape;
        const Rounded<T> view = device_.rounded.view();
        std::vector<float> a(view.a.rows * view.a.stride), b(view.b_transposed.rows * view.b_transposed.stride);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t l = 0; l < k; ++l) a[i * view.a.stride + l] = rounded_.a[i * k + l];
        for (std::size_t l = 0; l < k; ++l)
            for (std::size_t j = 0; j < n; ++j) b[j * view.b_transposed.stride + l] = rounded_.b[l * n + j];
        const std::string name(stage().name);
        require_same<float>(name + ", a,", to_host(view.a), a);
        require_same<float>(name + ", b transposed,", to_host(view.b_transposed), b);
        const auto bound = ErrorBound::of_rounded_factors(input_.a, input_.b, input_.shape, fraction_bits<T>);
        return largest_error(stage().name, rounded_c_, c_, bound, input_.shape);
    }

  private:
    const Input& input_;
    const std::vector<double>& c_;
    const Input& rounded_;
    const std::vector<double>& rounded_c_;
    OnDevice<T> device_;
};

template <class T>
class TensorProduct : public Trial<TensorStage<T>> {
    using Trial<TensorStage<T>>::stage;

  public:
    TensorProduct(const Input& input, const Input& rounded, const std::vector<double>& rounded_c)
        : input_(input),
          rounded_(rounded),
          expected_(rounded_c),
          bound_(rounded.a, rounded.b, rounded.shape, Sums::cut_off),
          device_(input.shape, true),
          d_c_(input.shape.m, input.shape.n, Rows::dense),
          c_(rounded_c.size()),
          host_c_(rounded_c.size()) {}

    void on_host() override { stage().on_host(rounded_.a, rounded_.b, rounded_.shape, host_c_); }

    /// Rounds, too. This is a part of the times with copies only.
    void upload() override {
        device_.copy_from(input_);
        device_.round();
    }

    void launch() override { stage().launch(device_.rounded.view(), d_c_.view()); }

    void download() override { d_c_.copy_to(c_); }

    void poison() override {
        std::fill(c_.begin(), c_.end(), std::numeric_limits<float>::quiet_NaN());
        std::fill(host_c_.begin(), host_c_.end(), std::numeric_limits<double>::quiet_NaN());
        d_c_.poison();
    }

    std::string why_left_out() override {
        if (stage().needs != warpgroup_mma || wgmma_is_compiled()) return "";
        return "compiled without code for sm_90a, which nvcc -gencode=arch=compute_90a,code=sm_90a makes";
    }

    std::optional<double> verify() override {
        if (!stage().on_host) return largest_error(stage().name, c_, expected_, bound_, input_.shape);
        require_same<double>(stage().name, host_c_, expected_);
        return std::nullopt;
    }

  private:
    const Input &input_, &rounded_;
    const std::vector<double>& expected_;
    ErrorBound bound_;
    OnDevice<T> device_;
    DeviceMatrix<float> d_c_;
    std::vector<float> c_;
    std::vector<double> host_c_;
};

template <class T>
void run_with(const Input& input, const std::vector<double>& c, const std::string& title, const std::string& asked,
              Report& report) {
    const auto [m, k, n] = input.shape;
    const Input as_rounded = rounded<T>(input);
    const std::vector<double> rounded_c = product(as_rounded);
    if (any_chosen(asked, round_stages<T>)) {
        Rounding<T> trial(input, c, as_rounded, rounded_c);
        report.begin("Rounding to " + std::string(name_of<T>) + ", " + title, k,
                     {.bytes = bytes_of_rounding<T>(input.shape)});
        report.run(round_stages<T>, trial);
    }
    if (any_chosen(asked, tensor_stages<T>)) {
        TensorProduct<T> trial(input, as_rounded, rounded_c);
        report.begin(name_of<T> + (", " + title), k, {.flops = 2.0 * m * k * n, .precision = precision_of<T>});
        report.run(tensor_stages<T>, trial);
    }
}

}  // namespace

void run_tensor(const Input& input, const std::string& title, const std::string& asked, Report& report) {
    const std::vector<double> c = any_chosen(asked, round_stages<float>) ? product(input) : std::vector<double>();
    run_with<float>(input, c, title, asked, report);
    run_with<Bf16>(input, c, title, asked, report);
}

}  // namespace matrix_multiply
