#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

    /// What was counted, in the order of importance, and with which command. Empty if nothing was.
    const std::vector<std::string>& counts() const { return counts_; }
    const std::string& command() const { return command_; }

    /// How many a launch of the stage has of it.
    std::optional<double> count(std::string_view stage, std::string_view what) const;

  private:
    struct Run {
        std::string title;
        std::size_t n;
        std::map<std::string, double, std::less<>> seconds;  // of each stage
    };

    const Run* nearest(std::string_view title, std::size_t n) const;

    std::string gpu_, gpu_in_full_, command_;
    std::vector<std::string> counts_;
    std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>> counted_;  // of each stage
    std::map<std::string, std::vector<Run>, std::less<>> runs_;                               // by the kind of title
};
