#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/rgba.h"

/// A picture in host memory.
class Bitmap {
  public:
    /// Every pixel is `fill`. Throws usage_error for a picture without pixels or with too many to count.
    Bitmap(std::size_t width, std::size_t height, Rgba fill = {});

    std::size_t width() const { return width_; }
    std::size_t height() const { return pixels_.size() / width_; }

    /// x from the left, y from the top; both inside the picture.
    Rgba& at(std::size_t x, std::size_t y) { return pixels_[y * width_ + x]; }
    const Rgba& at(std::size_t x, std::size_t y) const { return pixels_[y * width_ + x]; }

    /// Row by row, the top one first.
    std::span<Rgba> pixels() { return pixels_; }
    std::span<const Rgba> pixels() const { return pixels_; }

    /// Reads any kind of PNG file, with 8 bits per channel. Throws usage_error with the path and the reason.
    static Bitmap load_png(const std::string& path);

    /// Throws usage_error if the file cannot be opened or cannot hold the picture, and output_error if the disk is
    /// full, both with the path and the reason. After an error, part of the file may have been written.
    void save_png(const std::string& path) const;

    /// Shows the picture in a window and returns when the user closes it. If no window can be opened, it prints one
    /// line with the reason on stderr and returns at once.
    void show(const std::string& title) const;

  private:
    std::size_t width_;
    std::vector<Rgba> pixels_;
};

/// How many pixels differ, and where the first of them is; 0, 0 if there is none.
struct Difference {
    std::size_t count = 0, x = 0, y = 0;
};

/// Throws usage_error if the sizes differ.
Difference compare(const Bitmap& a, const Bitmap& b);

/// Throws wrong_result unless the pictures, of one size, are the same; the message names the stage, the first wrong
/// pixel and how many there are.
void require_same(std::string_view stage, const Bitmap& actual, const Bitmap& expected);
