#include "harness/report.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define WITH_NVTX
#endif

#include <algorithm>
#include <cstdio>

#include "common/check.h"
#include "common/verify.h"
#include "harness/output.h"
#include "harness/result_table.h"
#include "harness/text.h"

#ifndef RECORDED_FOLDER
#define RECORDED_FOLDER ""  // set in builds for the emulator only
#endif

Report::Report(const Chapter& chapter, const Options& options) : chapter_(chapter), options_(options) {
    std::printf("%s\n", device_line().c_str());
    if (on_emulator()) {
        recorded_ = std::make_unique<Recorded>(RECORDED_FOLDER "/" + std::string(chapter.name) + ".json");
        if (options.sizes.front() == chapter.n_on_emulator)
            std::printf("On a GPU it is n = %s. Here it is less, unless --n asks for more.\n",
                        with_separators(chapter.n).c_str());
        // Only the JSON file has the copy bandwidth; the table on the emulator does not show it.
        if (!options.json.empty()) copy_bandwidth_ = ::copy_bandwidth();
        return;
    }
    copy_bandwidth_ = ::copy_bandwidth();
    std::printf("A device-to-device copy moves %s GB/s here, read and written.\n",
                three_digits(copy_bandwidth_ * 1e-9).c_str());
    if (const auto fp32 = peak_flops(Precision::fp32), fp64 = peak_flops(Precision::fp64); fp32 && fp64)
        std::printf("Its cores could do %s GFLOP/s of fp32 and %s of fp64,\na multiply-add each in every cycle.\n",
                    three_digits(*fp32 * 1e-9).c_str(), three_digits(*fp64 * 1e-9).c_str());
}

Report::~Report() = default;

void Report::begin(const std::string& title, std::size_t n, Work work) {
    tables_.push_back(std::make_unique<ResultTable>(ResultTable{.title = title,
                                                                .n = n,
                                                                .work = work,
                                                                .peak_flops = peak_flops(work.precision),
                                                                .copy_bandwidth = copy_bandwidth_,
                                                                .recorded = recorded_.get()}));
    tables_.back()->print_heading(options_.timing);
}

namespace {

/// A named range: NVIDIA's profilers show it on their time line, and ./lab count counts the kernels in it.
class NamedRange {
  public:
#ifdef WITH_NVTX
    explicit NamedRange(const std::string& name) {
        nvtxRangePushA(name.c_str());
    }
    ~NamedRange() {
        nvtxRangePop();
    }
#else
    explicit NamedRange(const std::string&) {}
#endif
    NamedRange(const NamedRange&) = delete;
    NamedRange& operator=(const NamedRange&) = delete;
};

}  // namespace

void Report::run(StageName stage, bool is_on_host, Steps& steps) {
    const NamedRange table(tables_.back()->title);
    ResultRow row{.name = std::string(stage.name), .idea = std::string(stage.idea)};
    if (is_on_host)
        run_on_host(steps, row);
    else
        run_on_device(steps, row);
    tables_.back()->add(std::move(row), is_on_host);
}

void Report::run_on_host(Steps& steps, ResultRow& row) const {
    steps.poison();
    row.seconds = host_seconds([&] { steps.on_host(); }, {.repeats = 3});
    row.error = steps.verify();
}

void Report::run_on_device(Steps& steps, ResultRow& row) const {
    const auto verify = [&](const char* run) {
        steps.download();
        try {
            row.error = steps.verify();
        } catch (const wrong_result& error) {
            throw wrong_result(std::string(error.what()) + ", in its " + run + " run");
        }
    };
    steps.upload();
    steps.poison();
    {
        const NamedRange stage(row.name);
        row.seconds = gpu_seconds([&] { steps.launch(); }, options_.timing,
                                  [&](double seconds) {
                                      verify("first");
                                      if (options_.timing.repeats > 1 && seconds > 10 * long_enough()) return;
                                      // Runs again: if the first run left something behind, such as a counter, this
                                      // stage fails and not the next.
                                      steps.poison();
                                      steps.launch();
                                      CUDA_CHECK(cudaDeviceSynchronize());
                                      verify("second");
                                  });
    }
    // Long work is not done once more: the copies wait for it and it for them, so that their times add up.
    const bool is_long = options_.timing.repeats > 1 && row.seconds > long_enough();
    const auto with_copies = [&] {
        steps.upload();
        if (!is_long) steps.launch();
        steps.download();
    };
    row.with_copies =
        host_seconds(with_copies, {.repeats = std::min(options_.timing.repeats, 3)}) + (is_long ? row.seconds : 0);
}

void Report::leave_out(std::string_view stage, const std::string& why) {
    tables_.back()->print_left_out(stage, why);
}

void Report::leave_out_or_throw(std::string_view stage, const std::string& why) {
    if (!options_.row.empty()) throw usage_error(std::string(stage) + " " + why);
    leave_out(stage, why);
}

std::optional<double> Report::seconds(std::string_view stage) const {
    for (const ResultRow& row : tables_.back()->rows)
        if (row.name == stage) return row.seconds;
    return std::nullopt;
}
