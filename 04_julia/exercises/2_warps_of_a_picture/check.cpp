#include "checker.h"

#include <set>

using namespace exercise;

int blocks();
int threads_without_a_pixel();
int warps_without_a_pixel();
int sectors_of_a_warp_16x16();
int sectors_of_a_warp_64x4();
int sectors_of_a_warp_4x64();
int sectors_of_a_warp_1x64();
void draw(int* pixels, int width, int height, int block_x, int block_y);

namespace {

// What a launch is made of, counted thread by thread.
struct Launch {
    int blocks = 0, idle_threads = 0, idle_warps = 0;
    std::size_t sectors_of_first_warp = 0;
};

Launch look_at(int width, int height, int block_x, int block_y) {
    Launch launch;
    for (int top = 0; top < height; top += block_y)
        for (int left = 0; left < width; left += block_x) {
            for (int warp = 0; warp < block_x * block_y; warp += 32) {
                std::set<int> sectors;
                for (int thread = warp; thread < warp + 32; ++thread) {
                    const int x = left + thread % block_x, y = top + thread / block_x;
                    const bool has_a_pixel = x < width && y < height;
                    if (has_a_pixel) sectors.insert((y * width + x) / 8);
                    launch.idle_threads += !has_a_pixel;
                }
                launch.idle_warps += sectors.empty();
                if (launch.blocks == 0 && warp == 0) launch.sectors_of_first_warp = sectors.size();
            }
            ++launch.blocks;
        }
    return launch;
}

void draw_and_compare(int width, int height, int block_x, int block_y) {
    Output<int> pixels("pixels", static_cast<std::size_t>(width) * height);
    draw(pixels.data(), width, height, block_x, block_y);
    finish();
    std::vector<int> expected;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) expected.push_back(10'000 * y + x);
    pixels.require_same(expected);
}

void draw_all() {
    draw_and_compare(100, 60, 16, 16);
    draw_and_compare(1024, 64, 16, 16);
    draw_and_compare(1024, 64, 64, 4);
    draw_and_compare(1024, 64, 4, 64);
    draw_and_compare(1024, 64, 1, 64);
}

}  // namespace

void check() {
    const Launch picture = look_at(100, 60, 16, 16);
    require_prediction("blocks", blocks(), picture.blocks);
    require_prediction("threads_without_a_pixel", threads_without_a_pixel(), picture.idle_threads);
    require_prediction("warps_without_a_pixel", warps_without_a_pixel(), picture.idle_warps);
    const auto sectors = [](int x, int y) { return static_cast<int>(look_at(1024, 64, x, y).sectors_of_first_warp); };
    require_prediction("sectors_of_a_warp_16x16", sectors_of_a_warp_16x16(), sectors(16, 16));
    require_prediction("sectors_of_a_warp_64x4", sectors_of_a_warp_64x4(), sectors(64, 4));
    require_prediction("sectors_of_a_warp_4x64", sectors_of_a_warp_4x64(), sectors(4, 64));
    require_prediction("sectors_of_a_warp_1x64", sectors_of_a_warp_1x64(), sectors(1, 64));
    draw_all();
}

void counted() {
    draw_all();
}
