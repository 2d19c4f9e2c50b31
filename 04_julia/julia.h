#pragma once

#include <cstdint>
#include <span>

#include "common/rgba.h"
#include "common/stage.h"

// Which points z stay near 0 when z = z² + c is repeated? They form the filled Julia set of c.
namespace julia {

struct Complex {
    float re, im;

    bool operator==(const Complex&) const = default;
};

/// red: points that stay are red, points that escape are black. smooth: points that stay are black, and the colours of
/// the others show how soon they escape.
enum class Palette { red, smooth };

/// The picture to draw. The defaults are the program's, too.
struct View {
    int width = 1000, height = 1000;  ///< pixels, at least 1 each
    int iterations = 200;             ///< how often z = z² + c is repeated, at least once
    Complex c{-0.8f, 0.156f};         ///< the c whose Julia set is drawn
    Complex center{0, 0};             ///< the point in the middle of the picture
    float scale = 1.5f;               ///< the distance from there to the nearest edge
    Palette palette = Palette::red;

    bool operator==(const View&) const = default;
};

/// z has escaped when |z|² exceeds this, or is NaN.
inline constexpr float escape_norm = 1000;

/// How z² + c is rounded. separate: after every product and every sum. fused: once for a product and a sum together.
/// The two give different last bits, and near the edge of the set such a bit decides.
enum class Arithmetic { separate, fused };

/// Draws the view. pixels: width · height of them in device memory, the top row first; their old contents do not
/// matter. The work is queued, not waited for. Throws cuda_error, and usage_error for a size that the stage cannot
/// handle.
using Launch = void(const View& view, Rgba* pixels);

/// Draws the view on the host, rounded either way. Returns how many iterations it took in all.
using OnHost = std::uint64_t(const View& view, Arithmetic arithmetic, std::span<Rgba> pixels);

/// Draws the view on the host with this many threads, as both host stages do.
std::uint64_t draw_on_host(const View& view, Arithmetic arithmetic, std::span<Rgba> pixels, unsigned threads);

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// A stage, and how it rounds. It draws the same bits as the host with the same arithmetic.
struct Stage : ::Stage<Launch, OnHost> {
    Arithmetic arithmetic;
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes of any stage: each pixel is written once.
constexpr double bytes_moved(const View& view) {
    return static_cast<double>(sizeof(Rgba)) * view.width * view.height;
}

/// Additions and multiplications in an iteration: re², im², re · im, their difference and double, + c, and |z|².
inline constexpr double operations = 8;

}  // namespace julia
