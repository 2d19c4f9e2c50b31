#include "06_constant_events/filter.h"

#include <bit>
#include <cstring>

#include "common/pictures/bitmap.h"
#include "testing.h"

namespace {

using filter::Filter;
using filter::Size;

/// Whole numbers from 0 to 255, as pixels or as their channels.
template <class T>
std::vector<T> random_pixels(std::size_t n) {
    std::vector<T> pixels(n);
    const auto bits = random_values<unsigned>(n);
    for (std::size_t i = 0; i < n; ++i)
        if constexpr (std::is_same_v<T, float>)
            pixels[i] = static_cast<float>(bits[i] >> 24);
        else
            pixels[i] = std::bit_cast<Rgba>(bits[i]);
    return pixels;
}

/// The channels of a pixel that are filtered.
std::vector<double> channels(float pixel) {
    return {pixel};
}
std::vector<double> channels(Rgba pixel) {
    return {double(pixel.r), double(pixel.g), double(pixel.b)};
}

/// What a whole number's sum becomes: one rounding, or one and the nearest of 0 to 255.
float from_sums(const Filter& filter, const std::vector<double>& sums, float) {
    return static_cast<float>(sums[0] * double{filter.scale.factor} + double{filter.scale.offset});
}
Rgba from_sums(const Filter& filter, const std::vector<double>& sums, Rgba) {
    const auto channel = [&](double sum) {
        const auto value = static_cast<float>(sum * double{filter.scale.factor} + double{filter.scale.offset});
        return static_cast<std::uint8_t>(std::clamp(value, 0.f, 255.f) + 0.5f);
    };
    return {channel(sums[0]), channel(sums[1]), channel(sums[2]), 255};
}

/// The picture through the filter, by the definition, in double.
template <class T>
std::vector<T> filtered(const Filter& filter, Size size, const std::vector<T>& in) {
    std::vector<T> out(in.size());
    const int radius = filter.side / 2;
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            std::vector<double> sums(3);
            for (int v = -radius; v <= radius; ++v)
                for (int u = -radius; u <= radius; ++u) {
                    const int from_y = std::clamp(y + v, 0, size.height - 1);
                    const int from_x = std::clamp(x + u, 0, size.width - 1);
                    const auto pixel = channels(in[std::size_t(from_y) * size.width + from_x]);
                    const double weight = filter.weights[(v + radius) * filter.side + u + radius];
                    for (std::size_t c = 0; c < pixel.size(); ++c) sums[c] += weight * pixel[c];
                }
            out[std::size_t(y) * size.width + x] = from_sums(filter, sums, T{});
        }
    return out;
}

std::string differs(const std::vector<float>& actual, const std::vector<float>& expected) {
    return difference(actual, expected);
}
std::string differs(const std::vector<Rgba>& actual, const std::vector<Rgba>& expected) {
    const auto numbers = [](const std::vector<Rgba>& pixels) {
        std::vector<unsigned> all(pixels.size());
        std::memcpy(all.data(), pixels.data(), pixels.size() * sizeof(Rgba));
        return all;
    };
    return difference(numbers(actual), numbers(expected));
}

/// Runs all stages that can take the filter, each twice on pixels that both runs read.
template <class T>
void check_stages(const Filter& filter, Size size, std::size_t start = 0, std::size_t out_start = 0) {
    const auto pixels = random_pixels<T>(std::size_t(size.width) * size.height);
    const auto expected = filtered(filter, size, pixels);
    for (const auto& stage : filter::stages<T>) {
        CAPTURE(stage.name, size.width, size.height, filter.side, start, out_start, sizeof(filter::Sum<T>));
        if (stage.on_host) {
            std::vector<T> out(pixels.size());
            stage.on_host(filter, size, pixels, out);
            REQUIRE(differs(out, expected) == "");
        }
    }
    for (const auto& stage : on_device(filter::stages<T>)) {
        CAPTURE(stage.name, size.width, size.height, filter.side, start, out_start, sizeof(filter::Sum<T>));
        if (stage.takes_lines && filter.line.empty()) continue;
        Fenced in(pixels, start);
        Fenced<T> out(pixels.size(), out_start);
        Fenced<filter::Sum<T>> scratch(stage.takes_lines ? pixels.size() : 0);
        stage.load(filter);
        twice([&] {
            out.buffer.poison();
            scratch.buffer.poison();
            stage.launch(filter, size, in.data(), out.data(), stage.takes_lines ? scratch.data() : nullptr);
            REQUIRE(differs(out.values(), expected) == "");
            REQUIRE(out.written_outside() == "");
            if (stage.takes_lines) REQUIRE(scratch.written_outside() == "");
        });
        REQUIRE(differs(in.values(), pixels) == "");
    }
}

/// Random whole numbers of both signs, which need be no product, as large as filter.h allows.
Filter random_filter(int side) {
    Filter filter{side, {0x1p-12f, 17}, std::vector<float>(side * side), {}};
    const int most = 65'536 / (side * side);
    const auto bits = random_values<unsigned>(filter.weights.size());
    for (std::size_t i = 0; i < bits.size(); ++i)
        filter.weights[i] = static_cast<float>(int(bits[i] % (2 * most + 1)) - most);
    return filter;
}

}  // namespace

TEST_CASE("every stage filters as the definition says, bit by bit", "[06_constant_events]") {
    // One pixel, row and column; around a warp, blocks of 8 rows, threads with 4 x 4 pixels and blocks with 128 x 32;
    // pictures that are smaller than the filter; one that has a block of 128 x 16 with all its halo for 31 x 31, and
    // one that is four columns too narrow for that.
    const auto size =
        GENERATE(Size{1, 1}, Size{1, 37}, Size{41, 1}, Size{2, 3}, Size{4, 4}, Size{31, 33}, Size{32, 8}, Size{33, 9},
                 Size{44, 13}, Size{61, 17}, Size{128, 33}, Size{139, 31}, Size{268, 47}, Size{272, 47});
    const int side = GENERATE(3, 5, 11, 31);
    const std::string name = std::vector{"blur", "edges", "emboss", "random"}[(size.width + side / 2) % 4];
    CAPTURE(name);
    const Filter filter = name == "random" ? random_filter(side) : filter::filter_called(name, side);
    check_stages<float>(filter, size);
    check_stages<Rgba>(filter, size);
}

TEST_CASE("every stage filters pictures that start anywhere", "[06_constant_events]") {
    const auto [start, out_start] = GENERATE(table<std::size_t, std::size_t>({{0, 1}, {1, 0}, {2, 3}, {3, 3}}));
    const Filter filter = filter::filter_called("blur", 9);
    check_stages<float>(filter, {132, 10}, start, out_start);
    check_stages<Rgba>(filter, {132, 10}, start, out_start);
}

TEST_CASE("filters have all odd sides, and may follow one another", "[06_constant_events]") {
    // What a stage keeps from call to call must be that of this filter.
    for (int side = filter::largest_side; side >= 3; side -= 4) {
        check_stages<float>(filter::filter_called("blur", side), {21, 11});
        check_stages<Rgba>(filter::filter_called("emboss", side - 2 < 3 ? 3 : side - 2), {24, 11});
    }
}

TEST_CASE("weights are whole numbers, and sums stay exact", "[06_constant_events]") {
    for (const std::string& name : filter::filter_names)
        for (int side = 3; side <= filter::largest_side; side += 2) {
            CAPTURE(name, side);
            const Filter filter = filter::filter_called(name, side);
            double magnitudes = 0, sum = 0;
            REQUIRE(filter.weights.size() == std::size_t(side * side));
            for (int i = 0; i < side * side; ++i) {
                const float weight = filter.weights[i];
                REQUIRE(weight == std::floor(weight));
                if (!filter.line.empty()) REQUIRE(weight == filter.line[i / side] * filter.line[i % side]);
                magnitudes += std::abs(weight);
                sum += weight;
            }
            REQUIRE(magnitudes <= 65'536);
            REQUIRE(std::abs(sum * double{filter.scale.factor} - (name == "blur" ? 1 : 0)) < 1e-6);
            REQUIRE(filter.line.empty() == (name != "blur"));
        }
}

TEST_CASE("a uniform picture stays, shows no edges, and is grey embossed", "[06_constant_events]") {
    const Size size{40, 30};
    const std::vector<Rgba> in(1200, Rgba{10, 200, 255, 7});
    for (const auto& [name, expected] : std::initializer_list<std::pair<const char*, Rgba>>{
             {"blur", {10, 200, 255}}, {"edges", {0, 0, 0}}, {"emboss", {128, 128, 128}}})
        for (const int side : {3, 11, 31}) {
            CAPTURE(name, side);
            std::vector<Rgba> out(in.size());
            filter::cpu<Rgba>(filter::filter_called(name, side), size, in, out);
            REQUIRE(differs(out, std::vector<Rgba>(1200, expected)) == "");
        }
}

TEST_CASE("filters look where the header says", "[06_constant_events]") {
    // A single pixel becomes the filter's weights, turned by half a turn.
    Filter filter{3, {1, 0}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {}};
    std::vector<float> in(25), out(25);
    in[12] = 1;
    filter::cpu<float>(filter, {5, 5}, in, out);
    REQUIRE_SAME(out, (std::vector<float>{0, 0, 0, 0, 0, 0, 9, 8, 7, 0, 0, 6, 5, 4, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0}));
}

TEST_CASE("with any floats, stages are within their bound of the exact sum", "[06_constant_events]") {
    const Size size{67, 35};
    const auto values = random_values<float>(67 * 35);
    std::vector<float> in(values.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::remainder(values[i], 1000.f);
    const Filter filter = filter::filter_called("blur", 7);
    for (const auto& stage : on_device(filter::stages<float>)) {
        CAPTURE(stage.name);
        Fenced d_in(in);
        Fenced<float> d_out(in.size()), scratch(in.size());
        stage.load(filter);
        stage.launch(filter, size, d_in.data(), d_out.data(), scratch.data());
        const auto out = d_out.values();
        std::vector<float> magnitudes(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) magnitudes[i] = std::abs(in[i]);
        const auto expected = filtered(filter, size, in), sums = filtered(filter, size, magnitudes);
        for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(std::abs(out[i] - expected[i]) <= 49 * 0x1p-23 * sums[i]);
    }
}

TEST_CASE("the CPU takes any number of threads", "[06_constant_events]") {
    const Size size{70, 23};
    const auto in = random_pixels<Rgba>(70 * 23);
    const Filter filter = filter::filter_called("emboss", 5);
    const auto expected = filtered(filter, size, in);
    for (const int threads : {1, 2, 3, 7, 32}) {
        CAPTURE(threads);
        std::vector<Rgba> out(in.size());
        filter::in_threads<Rgba>(filter, size, in, out, threads);
        REQUIRE(differs(out, expected) == "");
    }
}

TEST_CASE("sides and names that make no filter are refused", "[06_constant_events]") {
    for (const int side : {-3, 0, 1, 2, 4, 32, 33}) REQUIRE_THROWS_AS(filter::filter_called("blur", side), usage_error);
    REQUIRE_THROWS_AS(filter::filter_called("magic", 3), usage_error);
    const Filter edges = filter::filter_called("edges", 3);
    DeviceBuffer<float> in(1), out(1), scratch(1);
    for (const std::string name : {"f5_separable", "f7_shuffles"}) {
        const auto& stage = stage_called(name, filter::stages<float>);
        stage.load(edges);
        REQUIRE(complaint([&] {
                    stage.launch(edges, {1, 1}, in.data(), out.data(), scratch.data());
                }) == name + ": the filter's weights are no product of two lines");
    }
}

TEST_CASE("filter shows every stage for both kinds of pixels", "[06_constant_events]") {
    const Outcome result = run(program("06_constant_events", "filter") + " --size 40x30 --side 3 --repeat 1");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    REQUIRE(result.out.find("\nblur of 3 × 3, 40 × 30 floats\n") != std::string::npos);
    REQUIRE(result.out.find("\nblur of 3 × 3, 40 × 30 RGBA pixels\n") != std::string::npos);
    for (const auto& stage : filter::stages<float>) {
        CAPTURE(stage.name);
        const std::string row = row_of(stage.name);
        REQUIRE(result.out.find(row) != result.out.rfind(row));
    }
}

TEST_CASE("filter's options", "[06_constant_events]") {
    const std::string filter_program = program("06_constant_events", "filter");

    SECTION("--in and --out: a picture of any size") {
        Bitmap picture(37, 5);
        const auto pixels = random_pixels<Rgba>(37 * 5);
        std::ranges::copy(pixels, picture.pixels().begin());
        const TemporaryFile in, out;
        picture.save_png(in.path());
        for (const char* pixels_of : {"", " --pixels floats"}) {
            const Outcome result = run(filter_program + " --in " + in.path() +
                                       " --filter emboss --side 7 --repeat 1 --out " + out.path() + pixels_of);
            CAPTURE(result.out, result.err, pixels_of);
            REQUIRE(result.exit_code == 0);
            const Bitmap made = Bitmap::load_png(out.path());
            REQUIRE(made.width() == 37);
            REQUIRE(made.height() == 5);
            if (*pixels_of) {
                for (const Rgba pixel : made.pixels()) REQUIRE((pixel.r == pixel.g && pixel.g == pixel.b));
            } else {
                const auto expected = filtered(filter::filter_called("emboss", 7), {37, 5}, pixels);
                REQUIRE(differs({made.pixels().begin(), made.pixels().end()}, expected) == "");
            }
        }
    }
    SECTION("the pictures of the lesson are what the program draws") {
        const TemporaryFile out;
        for (const char* arguments : {"blur --side 9", "edges --side 3", "emboss --side 3"}) {
            const Outcome result =
                run(filter_program + " --n 256 --stage f1 --out " + out.path() + " --filter " + arguments);
            CAPTURE(result.err, arguments);
            REQUIRE(result.exit_code == 0);
            const std::string name = std::string(arguments).substr(0, std::string(arguments).find(' '));
            const Bitmap shown = Bitmap::load_png(golden("../../06_constant_events/pictures/filter_" + name + ".png"));
            REQUIRE(compare(Bitmap::load_png(out.path()), shown).count == 0);
        }
    }
    SECTION("a filter that is no product leaves the separable stages out") {
        const Outcome result = run(filter_program + " --size 20x10 --filter edges --pixels floats --repeat 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\nf5_separable            left out: its weights are no product of two lines\n") !=
                std::string::npos);
        REQUIRE(result.out.find("\nf6_registers ") != std::string::npos);
        REQUIRE(result.out.find("\nf7_shuffles             left out: ") != std::string::npos);
    }
    SECTION("--show without a screen says so") {
        const Outcome result =
            run("env -u DISPLAY -u WAYLAND_DISPLAY " + filter_program + " --size 9x9 --repeat 1 --show");
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.err.starts_with("nothing is shown: "));
    }
    SECTION("what makes no sense is refused in one line") {
        for (const auto& [arguments, part] : std::initializer_list<std::pair<const char*, const char*>>{
                 {" --size 5", "--size 5: must be 2 numbers"},
                 {" --size 5x6x7", "--size"},
                 {" --size 5x600000", "at most 524,280"},
                 {" --n 600000", "at most 524,280"},
                 {" --n 500000", "memory"},
                 {" --side 4", "odd number of rows and columns from 3 to 31, not 4"},
                 {" --side 33", "not 33"},
                 {" --side 0", "--side 0"},
                 {" --filter magic", "magic"},
                 {" --pixels ints", "ints"},
                 {" --in /nowhere.png", "/nowhere.png"},
                 {" --size 9x9 --n 9", "--size"},
                 {" --side 3,5 --out /dev/null", "--out"},
                 {" --size 9x9 --filter edges --stage f5", "no product of two lines"}}) {
            const Outcome result = run(filter_program + arguments);
            CAPTURE(arguments, result.out, result.err);
            REQUIRE(result.exit_code == 2);
            REQUIRE(result.err.find(part) != std::string::npos);
            REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        }
    }
}
