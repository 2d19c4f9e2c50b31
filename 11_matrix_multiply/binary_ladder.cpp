// Runs the binary stages, compares every element, and prints what each stage costs. Packing has a table of its own.

#include <cstdio>
#include <string>

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
void verify_packed(Matrix<const Word> packed, const int* ones, std::size_t vectors, std::size_t k, bool by_rows,
                   const Sign& sign) {
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
    const std::string name = by_rows ? "pack, the words of a," : "pack, the words of b,";
    require_same<Word>(name, words, expected);
    require_same<int>(name + " and their ones,", to_host(ones, padded), expected_ones);
}

class Ladder {
  public:
    Ladder(const Input& input, const std::string& title, const Options& options, Report& report)
        : input_(input),
          title_(title),
          options_(options),
          report_(report),
          a_(input.shape.m, input.shape.k, Rows::dense),
          b_(input.shape.k, input.shape.n, Rows::dense),
          packed_(input.shape),
          c_(input.shape.m, input.shape.n, Rows::dense),
          expected_(input.shape.m * input.shape.n),
          result_(expected_.size()) {
        copy_and_pack();
    }

    void run() {
        if (is_chosen(options_, packing.name)) pack();
        report_.begin("+1 and -1, " + title_, input_.shape.n, {.bytes = bytes_of_binary(input_.shape)});
        report_.cpu("b1_cpu", "one thread on the host, 64 signs to a word",
                    [&] { binary_cpu(input_.a, input_.b, input_.shape, expected_); });
        for (const auto& stage : binary_stages)
            if (is_chosen(options_, stage.name)) multiply(stage);
#ifndef WITH_TENSOR_CORES
        if (options_.stage.empty()) std::printf("b8_tensor_cores         left out: the emulator has no tensor cores\n");
#endif
    }

  private:
    void copy_and_pack() {
        a_.copy_from(input_.a);
        b_.copy_from(input_.b);
        packed_.pack(a_.view(), b_.view());
    }

    void pack() {
        report_.begin("Packing, " + title_, input_.shape.n, {.bytes = bytes_of_packing(input_.shape)});
        report_.gpu(
            packing.name, packing.idea,
            {.poison = [&] { packed_.poison(); },
             .run = [&] { packed_.pack(a_.view(), b_.view()); },
             .with_copies =
                 [&] {
                     copy_and_pack();
                     CUDA_CHECK(cudaDeviceSynchronize());
                 },
             .verify =
                 [&] {
                     const Shape shape = input_.shape;
                     const Packed packed = packed_.view();
                     verify_packed(packed.a, packed.ones_in_a, shape.m, shape.k, true,
                                   [&](std::size_t i, std::size_t l) { return !(input_.a[i * shape.k + l] < 0); });
                     verify_packed(packed.b, packed.ones_in_b, shape.n, shape.k, false,
                                   [&](std::size_t j, std::size_t l) { return !(input_.b[l * shape.n + j] < 0); });
                     return 0.0;
                 }});
    }

    void multiply(const Stage<BinaryLaunch>& stage) {
        const auto launch = [&] { stage.run(packed_.view(), c_.view()); };
        report_.gpu(stage.name, stage.idea,
                    {.poison = [&] { c_.poison(); },
                     .run = launch,
                     .with_copies =
                         [&] {
                             copy_and_pack();
                             launch();
                             c_.copy_to(result_);
                         },
                     .verify =
                         [&] {
                             c_.copy_to(result_);
                             require_same<int>(stage.name, result_, expected_);
                             return 0.0;
                         }});
    }

    const Input& input_;
    const std::string title_;
    const Options& options_;
    Report& report_;
    DeviceMatrix<float> a_, b_;
    PackedMatrices packed_;
    DeviceMatrix<int> c_;
    std::vector<int> expected_, result_;
};

}  // namespace

void run_binary(const Input& input, const std::string& title, const Options& options, Report& report) {
    Ladder(input, title, options, report).run();
}

}  // namespace matrix_multiply
