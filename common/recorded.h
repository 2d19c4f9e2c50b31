#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What is known of a chapter's stages without running them: what ./lab count has counted in their kernels, and what
/// ./lab bench has measured on a GPU. Both are in results/.
class Recorded {
  public:
    /// What tools/recorded.py wrote for the chapter. Without the file nothing is known.
    explicit Recorded(const std::string& path);

    /// The GPU, in a word ("H100") and in full. Empty if none has measured the chapter.
    const std::string& gpu() const { return gpu_; }
    const std::string& gpu_in_full() const { return gpu_in_full_; }

    /// The title of the recorded run that is most like this one: the same but for its numbers, the nearest n, and of
    /// several with that n the very same if there is one.
    std::optional<std::string> nearest_title(std::string_view title, std::size_t n) const;

    /// How long the stage took there.
    std::optional<double> seconds(std::string_view title, std::size_t n, std::string_view stage) const;

    /// What was counted.
    struct Counts {
        std::string command;            ///< that was counted
        std::vector<std::string> what;  ///< the first costs most
        std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>> stages;  ///< in a launch

        /// How many of it a launch of the stage has.
        std::optional<double> of(std::string_view stage, std::string_view what) const;
    };

    /// In a table with that title but for its numbers; else in the chapter's first one. Null if nothing was counted.
    const Counts* counts(std::string_view title) const;

  private:
    struct Run {
        std::string title;
        std::size_t n;
        std::map<std::string, double, std::less<>> seconds;  // of each stage
    };

    const Run* nearest(std::string_view title, std::size_t n) const;

    std::string gpu_, gpu_in_full_;
    std::vector<std::pair<std::string, Counts>> counted_;        // with the kind of title
    std::map<std::string, std::vector<Run>, std::less<>> runs_;  // by the kind of title
};
