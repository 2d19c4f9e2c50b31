#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/capability.h"
#include "common/stage.h"
#include "harness/options.h"
#include "harness/program.h"
#include "harness/text.h"

/// A lower bound on the work of any stage, whatever its method: bytes, or operations where arithmetic is the limit. The
/// table shows how much of it is done per second, and which share of the copy bandwidth or of the peak that is. Where
/// neither says anything, the work is a number of items: the table shows items per second, and no share.
struct Work {
    double bytes = 0;                       ///< moved to or from device memory
    double flops = 0;                       ///< floating-point operations
    Precision precision = Precision::fp32;  ///< of the operations
    double items = 0;                       ///< such as rays
    std::string_view items_are = {};        ///< "rays"; empty: the work is bytes or operations
};

/// A chapter's work on one input, in steps. Report::run() says which stage they are for, and calls them.
class Steps {
  public:
    virtual ~Steps() = default;

    virtual void on_host() = 0;   ///< does the work on the host
    virtual void upload() = 0;    ///< brings the inputs to the device
    virtual void launch() = 0;    ///< queues the GPU work
    virtual void download() = 0;  ///< waits for it and brings the output to the host
    virtual void poison() = 0;    ///< spoils the output, on the host and on the device

    /// Verifies the output on the host. Returns 0 if it is exact, otherwise the relative error; no value if it is the
    /// reference itself. Throws wrong_result.
    virtual std::optional<double> verify() = 0;
};

/// The steps for the stages of one kind.
template <class Stage>
class Trial : public Steps {
  public:
    void choose(const Stage& stage) { stage_ = &stage; }

    /// The reason to leave this stage out unless --stage asks for it; empty if it should run.
    virtual std::string why_left_out() { return ""; }

  protected:
    const Stage& stage() const { return *stage_; }

  private:
    const Stage* stage_ = nullptr;
};

struct ResultRow;
struct ResultTable;
class Recorded;

/// A chapter's results: prints a row as soon as a stage is done, and writes them all as JSON at the end.
class Report {
  public:
    /// Prints the device's line, and a remark if n_on_emulator replaces n. Measures the copy bandwidth, which is 100 %
    /// in tables that count bytes.
    Report(const Chapter& chapter, const Options& options);
    ~Report();

    /// Begins the table for one input.
    void begin(const std::string& title, std::size_t n, Work work);

    /// Runs, verifies and times the stages that --stage chooses. A first stage that works on the host always runs, as
    /// every speed-up is relative to it. The output is poisoned before each run, and a kernel's output is verified
    /// after each of two runs before its time counts. A stage that needs another device is left out, or a usage_error
    /// if --stage asks for it. Throws what the trial throws; a wrong_result also says which of the two runs was wrong.
    template <class Stages, class Stage>
    void run(const Stages& stages, Trial<Stage>& trial) {
        bool first = true;
        for (const Stage& stage : stages) {
            const bool is_reference = std::exchange(first, false) && stage.on_host;
            if (!is_reference && !is_chosen(options_.row, stage.name)) continue;
            trial.choose(stage);
            if (const std::string why = why_not_here(stage.needs); !why.empty())
                leave_out_or_throw(stage.name, why);
            else if (const std::string why = trial.why_left_out(); !why.empty() && options_.row.empty())
                leave_out(stage.name, why);
            else
                run({.name = stage.name, .idea = stage.idea}, static_cast<bool>(stage.on_host), trial);
        }
    }

    /// The time of the stage in the last table; no value if it was not run.
    std::optional<double> seconds(std::string_view stage) const;

    /// Writes --json FILE if it was asked for. Throws output_error if the file cannot be written.
    void write() const;

  private:
    void run(StageName stage, bool is_on_host, Steps& steps);
    void run_on_host(Steps& steps, ResultRow& row) const;
    void run_on_device(Steps& steps, ResultRow& row) const;
    void leave_out(std::string_view stage, const std::string& why);
    void leave_out_or_throw(std::string_view stage, const std::string& why);

    const Chapter chapter_;
    const Options options_;
    double copy_bandwidth_ = 0;           // bytes per second
    std::unique_ptr<Recorded> recorded_;  // on the emulator
    std::vector<std::unique_ptr<ResultTable>> tables_;
};
