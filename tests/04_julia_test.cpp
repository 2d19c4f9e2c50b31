#include "04_julia/julia.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "04_julia/iterate.h"
#include "04_julia/options.h"
#include "04_julia/palette.h"
#include "common/pictures/bitmap.h"
#include "testing.h"

using julia::Arithmetic;
using julia::Complex;
using julia::Fused;
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
    static DeviceBuffer<Rgba> pixels;  // kept: a GPU takes longer for the memory than for the picture
    if (pixels.size() != n + 2 * fence) pixels = DeviceBuffer<Rgba>(n + 2 * fence);
    pixels.poison();
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
    const Bitmap expected = drawn_on_cpu(view, stage.arithmetic);
    twice([&] { REQUIRE(difference_of(drawn_on_device(stage.launch, view), expected) == ""); });
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(julia::stages));
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

TEST_CASE("every stage stops after any number of iterations", "[04_julia]") {
    const auto& stage = GENERATE(any_stage());
    const auto palette = GENERATE(any_palette());
    const auto iterations =
        GENERATE(1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 39, 40, 55, 56, 57, 199, 200, 201, 1000);
    require_like_cpu(stage, {.width = 40, .height = 24, .iterations = iterations, .palette = palette});
}

TEST_CASE("every stage draws any part of any set", "[04_julia]") {
    const auto& stage = GENERATE(any_stage());
    const auto palette = GENERATE(any_palette());
    for (int i = 0; i < 20; ++i) {
        const auto raw = random_values<std::uint32_t>(7);
        const auto within = [&](int k, float low, float high) {
            return low + (high - low) * static_cast<float>(raw[k]) * 0x1p-32f;
        };
        View view{.width = static_cast<int>(1 + raw[0] % 70),
                  .height = static_cast<int>(1 + raw[0] / 70 % 70),
                  .iterations = static_cast<int>(1 + raw[1] % 300),
                  .c = {within(2, -1.5f, 0.5f), within(3, -1, 1)},
                  .scale = std::exp2(within(4, -20, 2)),
                  .palette = palette};
        if (i % 2 == 0) view.center.re = within(5, -1, 1);  // one view of four is around 0, two are on an axis
        if (i % 4 < 2) view.center.im = within(6, -1, 1);
        require_like_cpu(stage, view);
    }
}

TEST_CASE("every stage copes with numbers that overflow, and with what comes back", "[04_julia]") {
    const auto& stage = GENERATE(any_stage());
    const auto palette = GENERATE(any_palette());
    constexpr float huge = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();
    const auto c = GENERATE(Complex{-0.8f, 0.156f}, Complex{0, 0}, Complex{900, 0}, Complex{-901, 0}, Complex{-993, 0},
                            Complex{0, -5000}, Complex{huge, -huge}, Complex{tiny, tiny});
    const auto iterations = GENERATE(20, 200);
    for (const Complex center :
         {Complex{0, 0}, Complex{31, 0}, Complex{-32, 0}, Complex{0, 1e19f}, Complex{huge, huge}})
        for (const float scale : {1.5f, tiny, 1e-20f, 100.f, 1e20f, huge})
            require_like_cpu(stage, {.width = 12,
                                     .height = 9,
                                     .iterations = iterations,
                                     .c = c,
                                     .center = center,
                                     .scale = scale,
                                     .palette = palette});
}

TEST_CASE("an escape between two looks is not lost, even if z comes back", "[04_julia]") {
    // With c = -993, z = 31 and z = -32 take turns, and only the second one is outside.
    REQUIRE(Fused::next({31, 0}, {-993, 0}).re == -32);
    REQUIRE(Fused::next({-32, 0}, {-993, 0}).re == 31);
    REQUIRE_FALSE(julia::escapes_for_good({-993, 0}));
    REQUIRE(julia::escapes_for_good({0, -900}));
    REQUIRE_FALSE(julia::escapes_for_good({-640, 640}));

    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const View view{.width = 1, .height = 1, .c = {-993, 0}, .center = {31, 0}};
    REQUIRE(drawn_on_device(stage.launch, view).at(0, 0) == Rgba{0, 0, 0});
}

TEST_CASE("the CPU draws what the formulas of the classic version say", "[04_julia]") {
    const int size = GENERATE(2, 64, 100, 250);
    const float scale = 1.5, c_re = -0.8, c_im = 0.156;
    Bitmap expected(size, size);
    std::uint64_t iterations = 0;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            float re = scale * static_cast<float>((size >> 1) - x) / (size >> 1);
            float im = scale * static_cast<float>((size >> 1) - y) / (size >> 1);
            bool stays = true;
            for (int i = 0; i < 200 && stays; ++i, ++iterations) {
                const float square_re = re * re - im * im, square_im = im * re + re * im;
                re = square_re + c_re;
                im = square_im + c_im;
                if (re * re + im * im > 1000) stays = false;
            }
            expected.at(x, y) = {static_cast<std::uint8_t>(255 * stays), 0, 0, 255};
        }
    const View view{.width = size, .height = size};
    REQUIRE(difference_of(drawn_on_cpu(view, Arithmetic::separate), expected) == "");
    Bitmap again(size, size);
    REQUIRE(julia::cpu(view, Arithmetic::separate, again.pixels()) == iterations);
}

TEST_CASE("several threads draw what one draws", "[04_julia]") {
    const auto arithmetic = GENERATE(Arithmetic::separate, Arithmetic::fused);
    const View view{.width = 61, .height = 47, .palette = Palette::smooth};
    const Bitmap expected = drawn_on_cpu(view, arithmetic);
    for (const unsigned threads : {2u, 3u, 16u, 64u}) {
        CAPTURE(threads);
        Bitmap picture(view.width, view.height);
        julia::draw_on_host(view, arithmetic, picture.pixels(), threads);
        REQUIRE(difference_of(picture, expected) == "");
    }
    Bitmap picture(view.width, view.height);
    const std::uint64_t iterations = julia::cpu_threads(view, arithmetic, picture.pixels());
    REQUIRE(difference_of(picture, expected) == "");
    REQUIRE(iterations == julia::cpu(view, arithmetic, picture.pixels()));
}

TEST_CASE("the default picture: every stage draws the golden one, but for 1,766 pixels where products are fused",
          "[04_julia]") {
    const Bitmap golden = Bitmap::load_png(GOLDEN_FOLDER "/04_julia.png");
    const View view;
    REQUIRE(golden.width() == 1000);
    REQUIRE(golden.height() == 1000);
    REQUIRE(std::count(golden.pixels().begin(), golden.pixels().end(), Rgba{255, 0, 0}) == 47'612);
    REQUIRE(difference_of(drawn_on_cpu(view, Arithmetic::separate), golden) == "");
    const Bitmap fused = drawn_on_cpu(view, Arithmetic::fused);
    REQUIRE(compare(fused, golden).count == 1766);

    for (const auto& stage : on_device(julia::stages)) {
        CAPTURE(stage.name);
        const Bitmap& expected = stage.arithmetic == Arithmetic::fused ? fused : golden;
        REQUIRE(difference_of(drawn_on_device(stage.launch, view), expected) == "");
    }
}

TEST_CASE("a picture around 0 is the same after a turn of 180°", "[04_julia]") {
    const auto arithmetic = GENERATE(Arithmetic::separate, Arithmetic::fused);
    for (const auto& [width, height] : {std::pair(64, 64), {65, 65}, {64, 33}, {33, 64}}) {
        CAPTURE(width, height);
        const Bitmap picture = drawn_on_cpu({.width = width, .height = height, .palette = Palette::smooth}, arithmetic);
        // Row and column 0 of an even number have no mirror image.
        for (int y = 1 - height % 2; y < height; ++y)
            for (int x = 1 - width % 2; x < width; ++x)
                REQUIRE(picture.at(x, y) == picture.at(width / 2 * 2 - x, height / 2 * 2 - y));
    }
}

TEST_CASE("an escape is counted from 1, and what overflows has escaped", "[04_julia]") {
    const auto escape = [](Complex z, Complex c, int n) { return julia::escape<Fused>(z, c, n); };
    REQUIRE(escape({0, 0}, {0, 0}, 5).steps == 0);
    REQUIRE(escape({40, 0}, {0, 0}, 5).steps == 1);
    REQUIRE(escape({40, 0}, {0, 0}, 5).norm == 1600.f * 1600.f);
    REQUIRE(escape({10, 0}, {0, 0}, 5).steps == 1);  // 100² is more than 1000
    REQUIRE(escape({5, 0}, {0, 0}, 5).steps == 2);
    REQUIRE(escape({5, 0}, {0, 0}, 1).steps == 0);
    REQUIRE(escape({1e30f, 1e30f}, {0, 0}, 5).steps == 1);
    const auto overflown = julia::escape<julia::Separate>({1e30f, 1e30f}, {0, 0}, 5);  // inf - inf
    REQUIRE(std::isnan(overflown.norm));
    REQUIRE(overflown.steps == 1);
}

TEST_CASE("the smooth palette is smooth", "[04_julia]") {
    for (float x = 1; x < 3e6f; x *= 1.0001f) REQUIRE(std::abs(julia::rough_log2(x) - std::log2(x)) < 2e-3f);

    // From the last |z|² that escapes in step k to the first that needs one more: one colour.
    const auto channels = [](Rgba colour) { return std::array{int{colour.r}, int{colour.g}, int{colour.b}}; };
    for (int step = 1; step < 300; ++step) {
        CAPTURE(step);
        const auto early = channels(julia::smooth_colour({step, 1000.01f}));
        const auto late = channels(julia::smooth_colour({step + 1, 1000.01f * 1000.01f}));
        for (int i = 0; i < 3; ++i) REQUIRE(std::abs(early[i] - late[i]) <= 2);
    }
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const float norm : {nan, infinity, 1e30f})
        REQUIRE(julia::smooth_colour({1, norm}) == julia::smooth_colour({1, 1e6f}));
}

TEST_CASE("more rows of blocks than a grid has are an error with a message", "[04_julia]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    Rgba* const nowhere = nullptr;
    const View tall{.width = 1, .height = std::numeric_limits<int>::max()};
    REQUIRE_THROWS_AS(stage.launch(tall, nowhere), usage_error);
    require_like_cpu(stage, {.width = 1, .height = 65535, .iterations = 3});
    if (stage.name == "2_block_per_pixel")
        REQUIRE_THROWS_AS(stage.launch({.width = 1, .height = 65536}, nowhere), usage_error);
}

TEST_CASE("julia shows every stage, and saves what it drew", "[04_julia]") {
    const TemporaryFile picture, difference, json;
    const Outcome result = run(program("04_julia", "julia") + " --repeat 1 --out " + picture.path() + " --difference " +
                               difference.path() + " --json " + json.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    for (const char* part : {"\n1,000 × 1,000, c = -0.8 + 0.156i, 200 iterations\n", "\n1_cpu ", "\n  · threads ",
                             "\nFused multiply-add gives another colour to 1,766 of 1,000,000"})
        REQUIRE(result.out.find(part) != std::string::npos);
    for (const char* column : {"GFLOP/s", "% of peak"})
        REQUIRE((result.out.find(column) != std::string::npos) == !on_emulator());
    for (const auto& stage : on_device(julia::stages)) {
        const std::string variant(variant_of(stage.name));
        const std::string row = variant.empty() ? std::string(stage.name) : "  · " + variant;
        REQUIRE(result.out.find("\n" + row + " ") != std::string::npos);
    }

    const Bitmap fused = drawn_on_cpu({}, Arithmetic::fused);
    REQUIRE(difference_of(Bitmap::load_png(picture.path()), fused) == "");
    const Bitmap marked = Bitmap::load_png(difference.path());
    REQUIRE(std::count(marked.pixels().begin(), marked.pixels().end(), Rgba{255, 0, 0}) == 1766);
    REQUIRE(json.text().find("\"n\": 1000000") != std::string::npos);
    for (const auto& stage : julia::stages)
        REQUIRE(json.text().find("\"" + std::string(stage.name) + "\"") != std::string::npos);
}

TEST_CASE("julia's options", "[04_julia]") {
    const std::string julia = program("04_julia", "julia");

    SECTION("they describe the view") {
        const TemporaryFile picture;
        const Outcome result = run(julia +
                                   " --size 80x50 --c 0.285,-0.01 --center -.5,1e-1 --scale 0.75 --iterations 77 "
                                   "--palette smooth --stage 3 --out " +
                                   picture.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n80 × 50, c = 0.285 - 0.01i, 77 iterations, centre -0.5 + 0.1i, scale 0.75\n") !=
                std::string::npos);
        REQUIRE(result.out.find("\n4_warp_tiles") == std::string::npos);
        const View view{.width = 80,
                        .height = 50,
                        .iterations = 77,
                        .c = {0.285f, -0.01f},
                        .center = {-0.5f, 0.1f},
                        .scale = 0.75f,
                        .palette = Palette::smooth};
        REQUIRE(difference_of(Bitmap::load_png(picture.path()), drawn_on_cpu(view, Arithmetic::separate)) == "");
    }
    SECTION("--stage runs a host version, too, and --out saves what it drew") {
        const TemporaryFile picture;
        const Outcome result = run(julia + " --size 31x20 --stage 1/threads --out " + picture.path());
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n  · threads ") != std::string::npos);
        REQUIRE(result.out.find("\n2_block_per_pixel ") == std::string::npos);
        const View view{.width = 31, .height = 20};
        REQUIRE(difference_of(Bitmap::load_png(picture.path()), drawn_on_cpu(view, Arithmetic::separate)) == "");
    }
    SECTION("--show without a screen says so, and all the rest is done") {
        const Outcome result = run("env -u DISPLAY -u WAYLAND_DISPLAY " + julia + " --size 9 --show --out /dev/null");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
    SECTION("a single pixel and a single iteration are enough") {
        const Outcome result = run(julia + " --size 1 --iterations 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\n1 × 1, c = -0.8 + 0.156i, 1 iteration\n") != std::string::npos);
    }
}

TEST_CASE("julia refuses what makes no sense, in one line", "[04_julia]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--c 1", "--c 1: must be two numbers"},
        {"--c 1,", "--c 1,"},
        {"--c ,1", "--c ,1"},
        {"--c ''", "--c"},
        {"--c 1,2,3", "1,2,3"},
        {"--c 1,x", "1,x"},
        {"--c nan,0", "nan"},
        {"--c 0,inf", "inf"},
        {"--c 1e50,0", "1e50"},
        {"--center 0", "--center 0"},
        {"--size 0", "--size 0"},
        {"--size -1", "-1"},
        {"--size 10x", "--size"},
        {"--size 10x0", "--size 0"},
        {"--size 10x10x10", "10x10"},
        {"--size 1e-3", "1e-3"},
        {"--size 1000000", "memory"},
        {"--size 2147483647", "memory"},
        {"--size 2147483648", "2147483648"},
        {"--n 10 --size 10", "--size"},
        {"--n 2^40", "--size"},
        {"--bench --out x.png", "--out"},
        {"--bench --show", "--show"},
        {"--iterations 0", "--iterations 0"},
        {"--iterations 2^31", "--iterations 2^31"},
        {"--scale 0", "--scale 0"},
        {"--scale -1", "--scale -1"},
        {"--scale nan", "--scale nan"},
        {"--scale 1.5x", "1.5x"},
        {"--palette blue", "--palette blue"},
        {"--stage 1 --show", "--stage 1 on the host"},
    }));
    const Outcome result = run(program("04_julia", "julia") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}
