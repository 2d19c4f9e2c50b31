// Scans random digits, or ones, with every stage, prints what each one costs, and the first sums.

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "scan.h"

namespace {

using scan::Stage;

const Chapter chapter{.name = "13_scan",
                      .about = "The sums of all prefixes, up to one read and one write of each element.",
                      .n = std::size_t{1} << 20,
                      .unit = "values",
                      .bench_sizes = {1 << 12, 1 << 16, 1 << 20, 1 << 24, std::size_t{1} << 28},
                      .n_on_emulator = std::size_t{1} << 18};

/// Random digits, 0 to 9, or ones. No sum of 2^28 of them reaches 2^32; beyond that, sums are mod 2^32.
class Scan : public Trial<Stage> {
  public:
    Scan(std::size_t n, std::uint64_t seed, bool ones)
        : in_(n), out_(n), expected_(n), d_in_(n), d_out_(n), scratch_(scan::scratch_bytes(n)) {
        std::mt19937_64 generator(seed);
        std::uniform_int_distribution<unsigned> digit(0, 9);
        for (unsigned& value : in_) value = ones ? 1 : digit(generator);
        scan::cpu(in_, expected_);
    }

    void on_host() override { stage().on_host(in_, out_); }
    void upload() override { d_in_.copy_from(in_); }
    void launch() override { stage().launch(d_in_.data(), d_out_.data(), in_.size(), scratch_.data()); }
    void download() override { d_out_.copy_to(out_); }

    void poison() override {
        std::fill(out_.begin(), out_.end(), ~0u);
        d_out_.poison();
        scratch_.poison();
    }

    std::optional<double> verify() override {
        require_same<unsigned>(stage().name, out_, expected_);
        if (stage().on_host == scan::cpu) return std::nullopt;  // what the others are compared with
        return 0;
    }

    void print_first_sums() const {
        constexpr std::size_t listed = 12;
        const auto print = [&](const char* what, const std::vector<unsigned>& values) {
            std::printf("%-7s", what);
            for (std::size_t i = 0; i < std::min(values.size(), listed); ++i) std::printf("%5u", values[i]);
            std::printf(values.size() > listed ? "  ...\n" : "\n");
        };
        std::printf("\n");
        print("values", in_);
        print("sums", expected_);
    }

  private:
    std::vector<unsigned> in_, out_, expected_;
    DeviceBuffer<unsigned> d_in_, d_out_;
    DeviceBuffer<unsigned char> scratch_;
};

void run(std::size_t n, bool ones, const Options& options, Report& report) {
    require_memory(scan::bytes_moved(n) + sizeof(unsigned) * (n / 255.0 + 8), 1.5 * scan::bytes_moved(n));
    Scan trial(n, options.seed, ones);
    report.begin("n = " + with_separators(n) + (ones ? " ones" : " values"), n, {.bytes = scan::bytes_moved(n)});
    report.run(scan::stages, trial);
    trial.print_first_sums();
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        bool ones = false;
        const Options options = read_options(argc, argv, chapter, names_of(scan::stages), [&](CommandLine& line) {
            line.flag("--ones", ones, "Ones instead of random digits, so that the sums are 1, 2, 3 and so on");
        });
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, ones, options, report);
        report.write();
    });
}
