// Makes random ints, or ones, adds them with every stage and prints what each one costs.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>

#include "atomic_sum.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"

namespace {

using atomic_sum::Memory;
using atomic_sum::Stage;

const Chapter chapter{.name = "08_atomic_sum",
                      .about = "The sum of many ints, from an atomic per thread to one launch at the memory's speed.",
                      .n = 10'000'000,
                      .unit = "ints",
                      .bench_sizes = {1 << 12, 1 << 16, 1 << 20, 10'000'000, std::size_t{1} << 28}};

template <class T>
auto managed_array(std::size_t n) {
    T* data = nullptr;
    CUDA_CHECK(cudaMallocManaged(reinterpret_cast<void**>(&data), n * sizeof(T)));
    return std::unique_ptr<T[], void (*)(T*)>(data, [](T* p) { cudaFree(p); });
}

/// n ints from 0 to 2^31 - 1, as glibc's rand() gives them; or ones.
std::vector<int> make_ints(std::size_t n, std::uint64_t seed, bool ones) {
    std::mt19937_64 generator(seed);
    std::vector<int> values(n);
    for (int& value : values) value = ones ? 1 : static_cast<int>(generator() >> 33);
    return values;
}

/// Ints and their sum, in device memory and in managed memory.
class Sum : public Trial<Stage> {
  public:
    Sum(std::size_t n, std::uint64_t seed, bool ones)
        : values_(make_ints(n, seed, ones)),
          expected_(atomic_sum::cpu(values_)),
          d_values_(n),
          managed_values_(managed_array<int>(n)) {}

    void on_host() override { sum_ = stage().on_host(values_); }

    /// Managed memory needs no copy: the host writes to it, and the driver moves the pages.
    void upload() override {
        if (const std::string why = why_left_out(); !why.empty())
            throw usage_error("--stage: " + std::string(stage().name) + " " + why);
        if (stage().memory == Memory::managed)
            std::copy(values_.begin(), values_.end(), managed().values);
        else
            d_values_.copy_from(values_);
    }

    void launch() override {
        if (stage().memory == Memory::managed)
            stage().launch(managed().values, values_.size(), managed().result);
        else
            stage().launch(d_values_.data(), values_.size(), d_sum_.data());
    }

    void download() override {
        if (stage().memory == Memory::managed) {
            CUDA_CHECK(cudaDeviceSynchronize());
            sum_ = *managed().result;
        } else {
            d_sum_.copy_to(std::span(&sum_, 1));
        }
    }

    void poison() override {
        sum_ = -1;
        if (stage().memory == Memory::managed)
            *managed().result = -1;
        else
            d_sum_.poison();
    }

    /// A sum in 32 bits must be right mod 2^32. Its error is how far an int with these bits is from the true sum.
    std::optional<double> verify() override {
        const long long expected = stage().bits == 32 ? atomic_sum::cpu_in_32_bits(values_) : expected_;
        require_same<long long>(stage().name, std::span(&sum_, 1), std::span(&expected, 1));
        if (stage().on_host == atomic_sum::cpu) return std::nullopt;  // what the others are compared with
        if (stage().bits == 64) return 0;
        const double off = std::abs(static_cast<double>(expected_ - static_cast<int>(sum_)));
        return off == 0 ? 0 : off / static_cast<double>(std::abs(expected_));
    }

    std::string why_left_out() override {
        if (values_.size() <= managed().most) return "";
        return "sums at most " + with_separators(managed().most) + ", its array's size";
    }

    void print_sums() const {
        std::printf("\nThe sum is %lld. In 32 bits it is %d:\nthe same mod 2^32.\n", expected_,
                    static_cast<int>(atomic_sum::cpu_in_32_bits(values_)));
    }

  private:
    atomic_sum::Variables managed() const {
        if (stage().variables) return stage().variables();
        return {managed_values_.get(), values_.size(), managed_sum_.get()};
    }

    const std::vector<int> values_;
    const long long expected_;
    long long sum_ = 0;
    DeviceBuffer<int> d_values_;
    DeviceBuffer<long long> d_sum_{1};
    decltype(managed_array<int>(1)) managed_values_;
    decltype(managed_array<long long>(1)) managed_sum_ = managed_array<long long>(1);
};

void run(std::size_t n, bool ones, const Options& options, Report& report) {
    const double bytes = atomic_sum::bytes_moved(n);
    require_memory(2 * bytes, bytes);  // twice on the device: also as managed memory
    Sum trial(n, options.seed, ones);
    report.begin("n = " + with_separators(n) + (ones ? " ints, ones" : " ints"), n, {.bytes = bytes});
    report.run(atomic_sum::stages, trial);
    trial.print_sums();
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        bool ones = false;
        const Options options = read_options(argc, argv, chapter, names_of(atomic_sum::stages), [&](CommandLine& line) {
            line.flag("--ones", ones, "Ones instead of random ints, so that the sum is n");
        });
        for (const std::size_t n : options.sizes)
            if (n > atomic_sum::max_n)
                throw usage_error("--n " + std::to_string(n) +
                                  ": at most 2^32 ints, or their sum might not fit into 64 bits");
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, ones, options, report);
        report.write();
    });
}
