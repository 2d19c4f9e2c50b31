// Makes the notes' input, runs every stage on it and prints what each one costs.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>

#include "atomic_sum.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/verify.h"

namespace {

const Chapter chapter{.name = "08_atomic_sum",
                      .about = "The sum of many ints, from an atomic per thread to one launch at the memory's speed.",
                      .n = 10'000'000,
                      .unit = "ints",
                      .bench_sizes = {10'000'000, std::size_t{1} << 28}};

/// Memory that both sides use under one address; the driver moves its pages to whoever touches them.
template <class T>
auto managed_array(std::size_t n) {
    T* data = nullptr;
    CUDA_CHECK(cudaMallocManaged(reinterpret_cast<void**>(&data), n * sizeof(T)));
    return std::unique_ptr<T[], void (*)(T*)>(data, [](T* p) { cudaFree(p); });
}

/// Like the notes' rand(): from 0 to 2^31 - 1.
std::vector<int> random_ints(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<int> values(n);
    for (int& value : values) value = static_cast<int>(generator() >> 33);
    return values;
}

class Program {
  public:
    Program(std::size_t n, const Options& options, Report& report)
        : n_(n),
          options_(options),
          report_(report),
          values_(random_ints(n, options.seed)),
          d_values_(DeviceBuffer<int>::from_host(values_)) {}

    void run() {
        report_.begin("n = " + with_separators(n_) + " ints", n_, {.bytes = atomic_sum::bytes_moved(n_)});
        report_.cpu("1_cpu", "one thread on the host", [&] { expected_ = atomic_sum::cpu(values_); });
        for (const auto& stage : atomic_sum::stages) {
            if (!is_chosen(options_, stage.name)) continue;
            in_device_memory(stage);
            if (stage.run == atomic_sum::atomic_per_thread) in_32_bits();
            if (stage.run == atomic_sum::atomic_per_block) in_managed_memory(stage);
        }
        std::printf("\nThe sum is %lld. In 32 bits it is %d:\nthe same mod 2^32.\n", expected_,
                    static_cast<int>(atomic_sum::cpu_in_32_bits(values_)));
    }

  private:
    void require_exact(std::string_view stage, long long sum) const {
        require_same<long long>(stage, std::span(&sum, 1), std::span(&expected_, 1));
    }

    void in_device_memory(const Stage<atomic_sum::Launch>& stage) {
        DeviceBuffer<long long> d_sum(1);
        long long sum = 0;
        const auto launch = [&] { stage.run(d_values_.data(), n_, d_sum.data()); };
        const auto fetch = [&] { d_sum.copy_to(std::span(&sum, 1)); };
        report_.gpu(stage.name, stage.idea,
                    {.poison = [&] { d_sum.poison(); },
                     .run = launch,
                     .with_copies =
                         [&] {
                             d_values_.copy_from(values_);
                             launch();
                             fetch();
                         },
                     .verify =
                         [&] {
                             fetch();
                             require_exact(stage.name, sum);
                             return 0.0;
                         }});
    }

    /// Right mod 2^32, and its error is how far that is from the sum.
    void in_32_bits() {
        const std::string_view name = "2_in_32_bits";
        DeviceBuffer<unsigned> d_sum(1);
        unsigned sum = 0;
        const auto launch = [&] { atomic_sum::in_32_bits(d_values_.data(), n_, d_sum.data()); };
        const auto fetch = [&] { d_sum.copy_to(std::span(&sum, 1)); };
        report_.gpu(name, "the notes' int: each warp is summed first, and the result is wrong",
                    {.poison = [&] { d_sum.poison(); },
                     .run = launch,
                     .with_copies =
                         [&] {
                             d_values_.copy_from(values_);
                             launch();
                             fetch();
                         },
                     .verify =
                         [&] {
                             fetch();
                             const unsigned wrapped = atomic_sum::cpu_in_32_bits(values_);
                             require_same<unsigned>(name, std::span(&sum, 1), std::span(&wrapped, 1));
                             const double off = std::abs(static_cast<double>(expected_ - static_cast<int>(sum)));
                             return off == 0 ? 0 : off / static_cast<double>(std::abs(expected_));
                         }});
    }

    /// The same kernel on memory that the host reads and writes as well. Nothing is copied by us: "with copies" is the
    /// host writing the values, and the pages going where they are needed.
    void in_managed_memory(const Stage<atomic_sum::Launch>& stage) {
        const std::string_view name = "4_managed_memory";
        const auto values = managed_array<int>(n_);
        const auto sum = managed_array<long long>(1);
        std::copy(values_.begin(), values_.end(), values.get());
        const auto launch = [&] { stage.run(values.get(), n_, sum.get()); };
        report_.gpu(name, "the same kernel on unified memory, as in the notes",
                    {.poison = [&] { *sum.get() = -1; },
                     .run = launch,
                     .with_copies =
                         [&] {
                             std::copy(values_.begin(), values_.end(), values.get());
                             launch();
                             CUDA_CHECK(cudaDeviceSynchronize());
                             require_exact(name, *sum.get());
                         },
                     .verify =
                         [&] {
                             require_exact(name, *sum.get());
                             return 0.0;
                         }});
    }

    const std::size_t n_;
    const Options& options_;
    Report& report_;
    const std::vector<int> values_;
    DeviceBuffer<int> d_values_;
    long long expected_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const Options options = read_options(argc, argv, chapter, names_of(atomic_sum::stages));
        for (const std::size_t n : options.sizes)
            if (n > atomic_sum::max_n)
                throw usage_error("--n " + std::to_string(n) +
                                  ": at most 2^32 ints, or their sum might not fit into 64 bits");
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            const double bytes = atomic_sum::bytes_moved(n);
            require_memory(2 * bytes, bytes);  // on the device once more, as managed memory
            Program(n, options, report).run();
        }
        report.write();
    });
}
