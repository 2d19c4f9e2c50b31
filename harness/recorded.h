#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A chapter's recorded results: what ./lab count has counted in its kernels, and what ./lab bench has measured on a
/// GPU. Both are in results/.
class Recorded {
  public:
    /// Reads the file that tools/recorded.py wrote for the chapter. Without the file there are no results.
    explicit Recorded(const std::string& path);

    /// The GPU's short name ("H100") and its full name. Empty if the chapter was not measured.
    const std::string& gpu() const { return gpu_; }
    const std::string& gpu_in_full() const { return gpu_in_full_; }

    /// The title of the recorded run that is most like this one. Its title differs in numbers only, and its n is the
    /// nearest; among several with that n, a run with exactly this title is preferred.
    std::optional<std::string> nearest_title(std::string_view title, std::size_t n) const;

    /// The time of the stage in that run.
    std::optional<double> seconds(std::string_view title, std::size_t n, std::string_view stage) const;

    /// The counts of one command line.
    struct Counts {
        std::string command;            ///< the command line
        std::vector<std::string> what;  ///< names of counts, the most costly first
        std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>> stages;  ///< in one launch

        /// The count called `what` in one launch of the stage.
        std::optional<double> of(std::string_view stage, std::string_view what) const;
    };

    /// The counts for a title that differs in numbers only; otherwise the chapter's first ones. Null if there are none.
    const Counts* counts(std::string_view title) const;

  private:
    struct Run {
        std::string title;
        std::size_t n;
        std::map<std::string, double, std::less<>> seconds;  // of each stage
    };

    const Run* nearest(std::string_view title, std::size_t n) const;

    std::string gpu_, gpu_in_full_;
    std::vector<std::pair<std::string, Counts>> counted_;        // each with its title without numbers
    std::map<std::string, std::vector<Run>, std::less<>> runs_;  // by their title without numbers
};
