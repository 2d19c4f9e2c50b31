// Runs the binary stages, and compares every element. Packing has a table of its own.

#include <algorithm>
#include <limits>
#include <utility>

#include "binary.h"
#include "common/check.h"
#include "common/verify.h"
#include "ladders.h"

namespace matrix_multiply {
namespace {

template <class T>
std::vector<T> to_host(const T* data, std::size_t n) {
    std::vector<T> values(n);
    CUDA_CHECK(cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

/// Throws wrong_result unless a packed matrix, of rows or of columns, has `vectors` of k signs each, and zeros beyond.
/// sign(v, l): the bit of element l of vector v.
template <class Sign>
void verify_packed(std::string_view stage, Matrix<const Word> packed, const int* ones, std::size_t vectors,
                   std::size_t k, bool by_rows, const Sign& sign) {
    const std::vector<Word> words = to_host(packed.data, packed.rows * packed.stride);
    const std::size_t padded = by_rows ? packed.rows : packed.columns, length = by_rows ? packed.columns : packed.rows;
    std::vector<Word> expected(words.size());
    std::vector<int> expected_ones(padded);
    for (std::size_t v = 0; v < vectors; ++v)
        for (std::size_t l = 0; l < k; ++l) {
            const std::size_t w = l / word_bits;
            expected[by_rows ? v * length + w : w * padded + v] |= Word{sign(v, l)} << l % word_bits;
            expected_ones[v] += sign(v, l);
        }
    const std::string name = std::string(stage) + (by_rows ? ", the words of a," : ", the words of b,");
    require_same<Word>(name, words, expected);
    require_same<int>(name + " and their ones,", to_host(ones, padded), expected_ones);
}

/// The input on the device, and room for its signs.
struct OnDevice {
    explicit OnDevice(const Input& input)
        : a(input.shape.m, input.shape.k, Rows::dense),
          b(input.shape.k, input.shape.n, Rows::dense),
          packed(input.shape) {}

    void copy_from(const Input& input) {
        a.copy_from(input.a);
        b.copy_from(input.b);
    }

    DeviceMatrix<float> a, b;
    PackedMatrices packed;
};

class Packing : public Trial<PackStage> {
  public:
    explicit Packing(const Input& input) : input_(input), device_(input) {}

    void on_host() override {}  // b1_cpu packs for itself

    void upload() override { device_.copy_from(input_); }

    void launch() override {
        stage().launch(std::as_const(device_.a).view(), std::as_const(device_.b).view(), device_.packed);
    }

    /// The bits stay on the device, where they are used.
    void download() override { CUDA_CHECK(cudaDeviceSynchronize()); }

    void poison() override { device_.packed.poison(); }

    std::optional<double> verify() override {
        const auto [m, k, n] = input_.shape;
        const Packed packed = device_.packed.view();
        verify_packed(stage().name, packed.a, packed.ones_in_a, m, k, true,
                      [&](std::size_t i, std::size_t l) { return !(input_.a[i * input_.shape.k + l] < 0); });
        verify_packed(stage().name, packed.b, packed.ones_in_b, n, k, false,
                      [&](std::size_t j, std::size_t l) { return !(input_.b[l * input_.shape.n + j] < 0); });
        return 0;
    }

  private:
    const Input& input_;
    OnDevice device_;
};

class BinaryProduct : public Trial<BinaryStage> {
  public:
    explicit BinaryProduct(const Input& input)
        : input_(input),
          device_(input),
          d_c_(input.shape.m, input.shape.n, Rows::dense),
          c_(input.shape.m * input.shape.n) {}

    void on_host() override { stage().on_host(input_.a, input_.b, input_.shape, c_); }

    /// Packs, too. This is a part of the times with copies only.
    void upload() override {
        device_.copy_from(input_);
        device_.packed.pack(device_.a.view(), device_.b.view());
    }

    void launch() override { stage().launch(device_.packed.view(), d_c_.view()); }

    void download() override { d_c_.copy_to(c_); }

    void poison() override {
        std::fill(c_.begin(), c_.end(), std::numeric_limits<int>::min());  // no sum of signs
        d_c_.poison();
    }

    std::optional<double> verify() override {
        if (expected_.empty()) {  // the first stage of all: it is the reference
            expected_ = c_;
            return std::nullopt;
        }
        require_same<int>(stage().name, c_, expected_);
        return 0;
    }

  private:
    const Input& input_;
    OnDevice device_;
    DeviceMatrix<int> d_c_;
    std::vector<int> c_, expected_;
};

}  // namespace

void run_packing(const Input& input, const std::string& title, Report& report) {
    Packing trial(input);
    report.begin("Packing, " + title, input.shape.k, {.bytes = bytes_of_packing(input.shape)});
    report.run(pack_stages, trial);
}

void run_binary(const Input& input, const std::string& title, Report& report) {
    BinaryProduct trial(input);
    report.begin("+1 and -1, " + title, input.shape.k, {.bytes = bytes_of_binary(input.shape)});
    report.run(binary_stages, trial);
}

}  // namespace matrix_multiply
