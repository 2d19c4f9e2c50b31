// Attention by every stage, on random queries, keys and values. Prints what each stage costs.

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "attention.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "error_bound.h"
#include "harness/report.h"
#include "sizes.h"

namespace {

using attention::Bf16;
using attention::Shape;
using attention::Stage;

const Chapter chapter{.name = "15_attention",
                      .about = "Attention: each position gets a mean of all values, weighted by a softmax.",
                      .n = 4096,
                      .unit = "positions",
                      .bench_sizes = {256, 512, 1024, 2048, 4096},
                      .n_on_emulator = 128};

/// The chapter's own options, as they were given.
struct Own {
    std::string heads = "1", d = "64";
    bool causal = false;
};

/// Three arrays on the host, and on the device as floats and as BF16.
class Attention : public Trial<Stage> {
  public:
    Attention(const Shape& shape, std::uint64_t seed)
        : shape_(shape),
          in_(3, std::vector<float>(elements(shape))),
          halves_(3, std::vector<Bf16>(elements(shape))),
          out_(elements(shape)),
          host_out_(out_.size()),
          expected_(out_.size()),
          d_out_(out_.size()),
          d_scratch_(2 * std::size_t(shape.n) * shape.n) {
        std::mt19937_64 generator(seed);
        std::uniform_int_distribution<int> number(-96, 96);  // 32nds, which BF16 has up to ±4
        for (int k = 0; k < 3; ++k) {
            for (float& x : in_[k]) x = static_cast<float>(number(generator)) / 32;
            std::transform(in_[k].begin(), in_[k].end(), halves_[k].begin(), [](float x) { return Bf16(x); });
            d_in_.emplace_back(out_.size());
            d_halves_.emplace_back(out_.size());
        }
        attention::cpu_threads(shape_, host_input(), expected_);
        bound_.emplace(shape_, host_input());
    }

    void on_host() override { stage().on_host(shape_, host_input(), host_out_); }

    void upload() override {
        for (int k = 0; k < 3; ++k)
            if (stage().takes_halves)
                d_halves_[k].copy_from(halves_[k]);
            else
                d_in_[k].copy_from(in_[k]);
    }

    void launch() override {
        stage().launch(shape_,
                       {{d_in_[0].data(), d_in_[1].data(), d_in_[2].data()},
                        {d_halves_[0].data(), d_halves_[1].data(), d_halves_[2].data()}},
                       d_out_.data(), d_scratch_.data());
    }

    void download() override { d_out_.copy_to(out_); }

    void poison() override {
        std::ranges::fill(out_, std::numeric_limits<float>::quiet_NaN());
        std::ranges::fill(host_out_, std::numeric_limits<double>::quiet_NaN());
        d_out_.poison();
        d_scratch_.poison();
    }

    std::string why_left_out() override {
        if (stage().on_host == attention::cpu && flops(shape_) > 1e11) return "takes most of a minute, --stage insists";
        if (stage().name != "6_wgmma" || attention::wgmma_is_compiled()) return "";
        return "compiled without code for sm_90a, which nvcc -gencode=arch=compute_90a,code=sm_90a makes";
    }

    std::optional<double> verify() override {
        if (stage().launch) return bound_->largest_error(stage().name, out_, expected_, stage().takes_halves);
        require_same<double>(stage().name, host_out_, expected_);
        return std::nullopt;
    }

  private:
    attention::Vectors<float> host_input() const { return {in_[0].data(), in_[1].data(), in_[2].data()}; }

    const Shape shape_;
    std::vector<std::vector<float>> in_;  // queries, keys, values
    std::vector<std::vector<Bf16>> halves_;
    std::vector<float> out_;
    std::vector<double> host_out_, expected_;
    std::optional<attention::ErrorBound> bound_;
    std::vector<DeviceBuffer<float>> d_in_;
    std::vector<DeviceBuffer<Bf16>> d_halves_;
    DeviceBuffer<float> d_out_, d_scratch_;
};

void run(const Shape& shape, const Options& options, Report& report) {
    const double numbers = elements(shape), scratch = 8.0 * shape.n * shape.n;
    require_memory(3 * 6 * numbers + 4 * numbers + scratch, 60 * numbers);
    Attention trial(shape, options.seed);
    report.begin(with_separators(shape.n) + " positions, d = " + std::to_string(shape.d) + ", " +
                     with_separators(shape.heads) + (shape.heads == 1 ? " head" : " heads") +
                     (shape.causal ? ", causal" : ""),
                 shape.n, {.flops = flops(shape), .precision = Precision::bf16});
    report.run(attention::stages, trial);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(attention::stages), [&](CommandLine& line) {
            line.option("--heads", own.heads, "How many independent attentions (default: " + own.heads + ")");
            line.option("--d", own.d, "Numbers of a query, key or value: 64 or 128 (default: " + own.d + ")");
            line.flag("--causal", own.causal, "A position sees itself and those before it only");
        });
        Shape shape{sizes::parse_at_most("--heads", own.heads, 1024), 0, sizes::parse_at_most("--d", own.d, 128),
                    own.causal};
        if (shape.d != 64 && shape.d != 128) throw usage_error("--d " + own.d + ": must be 64 or 128");
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            shape.n = sizes::parse_at_most("--n", std::to_string(n), attention::max_n);
            run(shape, options, report);
        }
        report.write();
    });
}
