#pragma once

#include <string>
#include <vector>

namespace emulator {

/// What threads of a block have printed, in the order in which they ran.
class Prints {
  public:
    bool empty() const { return texts_.empty(); }

    /// `thread`: its number in the block. `place`: of the printf() in the source.
    void add(unsigned thread, unsigned place, std::string text) { texts_.push_back({thread, place, std::move(text)}); }

    /// Takes what these lanes of a warp have printed, in a device's order: one statement of the source after the other,
    /// and the lanes in theirs.
    std::string take(unsigned warp, unsigned lanes);

    /// The same for all warps.
    std::string take_all();

  private:
    struct Text {
        unsigned thread, place;
        std::string text;
    };
    std::vector<Text> texts_;
};

/// Text of a kernel's, for which the program has yet to wait.
void keep_printed(const std::string& text);

/// The program waits for its kernels, and sees what they have printed. A device that is not waited for shows nothing:
/// if that is so at the end of the program, a line on stderr says it.
void show_printed();

}  // namespace emulator
