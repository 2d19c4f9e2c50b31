#include "04_julia/julia.h"

#include <cmath>

#include "04_julia/iterate.h"
#include "04_julia/options.h"
#include "testing.h"

using julia::Arithmetic;
using julia::Complex;
using julia::Palette;
using julia::View;

namespace {

Bitmap drawn_on_cpu(const View& view, Arithmetic arithmetic) {
    Bitmap picture(view.width, view.height, {1, 2, 3, 4});
    julia::cpu(view, arithmetic, picture.pixels());
    return picture;
}

/// What a stage draws over poison, which no colour looks like; and that it leaves alone what lies around the picture.
Bitmap drawn_on_device(julia::Launch* launch, const View& view) {
    constexpr std::size_t fence = 4096;
    Bitmap picture(view.width, view.height);
    const std::size_t n = picture.pixels().size();
    auto pixels = poisoned<Rgba>(n + 2 * fence);
    launch(view, pixels.data() + fence);
    CUDA_CHECK(cudaDeviceSynchronize());
    const std::vector<Rgba> all = pixels.to_host();
    const auto untouched = [](Rgba pixel) { return pixel == Rgba{255, 255, 255, 255}; };
    REQUIRE(std::all_of(all.begin(), all.begin() + fence, untouched));
    REQUIRE(std::all_of(all.end() - fence, all.end(), untouched));
    std::copy_n(all.begin() + fence, n, picture.pixels().begin());
    return picture;
}

/// "" if the pictures are the same, else where they first differ.
std::string difference_of(const Bitmap& actual, const Bitmap& expected) {
    const Difference found = compare(actual, expected);
    if (found.count == 0) return "";
    return std::to_string(found.count) + " pixels, the first at " + std::to_string(found.x) + ", " +
           std::to_string(found.y);
}

void require_like_cpu(const julia::Stage& stage, const View& view) {
    CAPTURE(stage.name, view.width, view.height, view.iterations, view.c.re, view.c.im, view.center.re, view.center.im,
            view.scale, view.palette == Palette::smooth);
    REQUIRE(difference_of(drawn_on_device(stage.run, view), drawn_on_cpu(view, stage.arithmetic)) == "");
}

auto any_stage() {
    return Catch::Generators::from_range(std::begin(julia::stages), std::end(julia::stages));
}

auto any_palette() {
    return Catch::Generators::values({Palette::red, Palette::smooth});
}

}  // namespace

TEST_CASE("every stage draws pictures of any shape like the CPU", "[04_julia]") {
    const auto& stage = GENERATE(any_stage());
    const auto palette = GENERATE(any_palette());
    const auto [width, height] = GENERATE(table<int, int>({{1, 1},
                                                           {2, 2},
                                                           {3, 3},
                                                           {1, 7},
                                                           {8, 1},
                                                           {7, 4},
                                                           {8, 8},
                                                           {9, 9},
                                                           {31, 33},
                                                           {32, 32},
                                                           {33, 31},
                                                           {64, 100},
                                                           {127, 128},
                                                           {200, 57},
                                                           {257, 255}}));
    require_like_cpu(stage, {.width = width, .height = height, .palette = palette});
}
